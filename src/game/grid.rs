//! Cells of a board in rows, each empty or with one side's stone: what Hex,
//! Gomoku, Othello and their like stand on.

use crate::value::BoardSize;

use super::{Field, Illegal, Reason, Side};

/// The most fields of a board that is replayed: 1024 x 1024. Larger ones are
/// legal in Hex and Twixt, and stay without a board.
pub(super) const FIELDS_MAX: u64 = 1 << 20;

/// A rectangle of cells.
#[derive(Clone)]
pub(super) struct Grid {
    size: BoardSize,
    cells: Vec<Option<Side>>,
}

impl Grid {
    pub(super) fn new(size: BoardSize) -> Option<Self> {
        let fields = u64::from(size.columns()) * u64::from(size.rows());
        let fits = fields <= FIELDS_MAX && size.longer() <= u32::from(u16::MAX);
        fits.then(|| Self { size, cells: vec![None; fields as usize] })
    }

    pub(super) fn size(&self) -> BoardSize {
        self.size
    }

    pub(super) fn len(&self) -> usize {
        self.cells.len()
    }

    pub(super) fn field(&self, index: usize) -> Field {
        let columns = self.size.columns() as usize;
        Field::new((index % columns) as u16, (index / columns) as u16)
    }

    pub(super) fn get(&self, field: Field) -> Option<Side> {
        field.index_on(self.size).and_then(|at| self.cells[at])
    }

    /// The field this many columns and rows away, if the board has it.
    pub(super) fn step(&self, field: Field, (right, down): (i32, i32)) -> Option<Field> {
        let column = u16::try_from(i32::from(field.column) + right).ok()?;
        let row = u16::try_from(i32::from(field.row) + down).ok()?;
        let field = Field::new(column, row);
        field.is_on(self.size).then_some(field)
    }

    /// Puts `stone` there and gives what stood there.
    pub(super) fn put(&mut self, field: Field, stone: Option<Side>) -> Result<Option<Side>, Illegal> {
        let at = field.index_on(self.size).ok_or_else(|| Illegal::nothing_done(Reason::OffBoard))?;
        Ok(std::mem::replace(&mut self.cells[at], stone))
    }

    /// Exchanges columns and rows, and the colours.
    pub(super) fn transpose_and_recolor(&mut self) -> u32 {
        let size = BoardSize::new(self.size.rows(), self.size.columns());
        let mut cells = vec![None; self.cells.len()];
        let mut turned = 0;
        for (index, stone) in self.cells.iter().enumerate() {
            if let Some(side) = stone {
                let field = self.field(index);
                let at = Field::new(field.row, field.column).index_on(size).expect("as many fields");
                cells[at] = Some(side.opponent());
                turned += 1;
            }
        }
        self.size = size;
        self.cells = cells;
        turned
    }

    /// True if `side`'s stones join a field of `starts` to one that `is_goal`
    /// holds for, by `steps`. Walks with a list, each field once.
    pub(super) fn joins(
        &self,
        side: Side,
        starts: impl Iterator<Item = Field>,
        is_goal: impl Fn(Field) -> bool,
        steps: &[(i32, i32)],
    ) -> bool {
        let mut seen = vec![false; self.cells.len()];
        let mut walk = Vec::new();
        let visit = |field: Field, walk: &mut Vec<Field>, seen: &mut [bool]| {
            let Some(at) = field.index_on(self.size) else { return };
            if self.cells[at] == Some(side) && !std::mem::replace(&mut seen[at], true) {
                walk.push(field);
            }
        };
        starts.for_each(|field| visit(field, &mut walk, &mut seen));
        while let Some(field) = walk.pop() {
            if is_goal(field) {
                return true;
            }
            for &step in steps {
                if let Some(next) = self.step(field, step) {
                    visit(next, &mut walk, &mut seen);
                }
            }
        }
        false
    }
}
