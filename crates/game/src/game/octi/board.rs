//! Board of Octi: stacks of pods. Moves have the effects that the page defines.

use crate::game::{Board, BoardCell, Effects, Illegal, Move, Setup, Side, Stone, Violation};
use crate::value::BoardSize;

use super::super::board_hash::add_to_stack;
use super::super::grid::queen_line;
use super::stone::{OctiStone, Prong, Prongs};
use super::{OctiMove, PodPath};

/// Limit of pods on a board that is replayed; the board refuses more.
pub const OCTI_PODS_MAX: usize = 1024;

/// Pod on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pod {
    /// The owner.
    pub side: Side,
    /// Its prongs.
    pub prongs: Prongs,
}

/// Board of at most 9 x 9 points. A board of 9 x 9 begins with a pod on each of the usual squares;
/// no document gives those of other sizes.
#[derive(Clone)]
pub struct OctiBoard {
    size: BoardSize,
    stacks: Vec<Vec<Pod>>,
    pods: usize,
    /// Whether each side still begins with the usual pods. `BO` and `WO` replace the pods of a
    /// side. `AB` and `AW` replace the pods of both, because they set up a whole position.
    has_usual: [bool; 2],
    /// Reserve of each side, in the order of [`OctiReserve`]; `None` if the record sets no limit.
    reserves: [[Option<u32>; 3]; 2],
}

/// Kind of part in a player's reserve (spec O-20 to O-22).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OctiReserve {
    /// `NP`: prongs.
    Prongs,
    /// `NR`: pods.
    Pods,
    /// `NS`: superprongs.
    Superprongs,
}

impl OctiBoard {
    /// Returns a board at the start: with the usual pods on 9 x 9, else empty. Returns `None` if a
    /// side is above 9, because points are two digits.
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        let stacks = vec![
            Vec::new();
            (size.longer() <= 9).then(|| (size.columns() * size.rows()) as usize)?
        ];
        let mut board = Self {
            size,
            stacks,
            pods: 0,
            has_usual: [false; 2],
            reserves: [[None; 3]; 2],
        };
        for side in [Side::Black, Side::White]
            .into_iter()
            .filter(|_| Self::has_usual_start(size))
        {
            for field in Self::usual_squares(side) {
                board
                    .push(
                        field,
                        Pod {
                            side,
                            prongs: Prongs::default(),
                        },
                    )
                    .ok()?;
            }
            board.has_usual[side.index()] = true;
        }
        Some(board)
    }

    /// Returns the usual octi squares of a 9 x 9 board: 33, 53 and 73 for Black (spec O-02) and, by
    /// symmetry, 37, 57 and 77 for White. A record may define its own squares in `BO` and `WO`.
    #[must_use]
    pub fn usual_squares(side: Side) -> [BoardCell; 3] {
        let row = if side == Side::White { 2 } else { 6 };
        [2, 4, 6].map(|column| BoardCell::new(column, row))
    }

    /// Returns whether the documents define where the game starts on a board of this size. If not,
    /// a record does so with `BO` and `WO`, or with `AB` or `AW`.
    #[must_use]
    pub fn has_usual_start(size: BoardSize) -> bool {
        size == BoardSize::square(9)
    }

    /// Returns the pods on a point, the lowest first.
    #[must_use]
    pub fn pods(&self, field: BoardCell) -> &[Pod] {
        field
            .index_on(self.size)
            .map_or(&[], |at| self.stacks[at].as_slice())
    }

    /// Returns the number of `stones` that match no pod of their own. A node must not mark more
    /// stones on a point than there are, or a stone twice. Pass the stones of `CS`, `MS`, `SS` and
    /// `TS` of a node together.
    ///
    /// ```
    /// use sgfstream::{Framing, Property};
    /// use sgfstream_game::octi::{OctiBoard, OctiStone};
    /// use sgfstream_game::{Dialect, Game, GameBoard};
    ///
    /// let octi = Dialect::new(Game::Octi, None);
    /// let mut position = GameBoard::new(&octi).expect("a board");
    /// position.apply(&Property::parse(b"BO[46]", Framing::Value).expect("a property"));
    /// let board: &OctiBoard = position.board().expect("Octi");
    /// let stone = OctiStone::parse(octi.size(), b"46")?;
    /// assert_eq!((board.too_many(&[stone]), board.too_many(&[stone, stone])), (0, 1));
    /// # Ok::<(), sgfstream_game::board::Fault>(())
    /// ```
    #[must_use]
    pub fn too_many(&self, stones: &[OctiStone]) -> usize {
        // Stones with prongs match fewer pods, so they are matched first.
        let mut stones = stones.to_vec();
        stones.sort_by_key(|stone| (stone.field, stone.prongs.is_empty()));
        let mut free: Vec<Prongs> = Vec::new();
        let mut field = None;
        let mut too_many = 0;
        for stone in &stones {
            if field.replace(stone.field) != Some(stone.field) {
                free = self
                    .pods(stone.field)
                    .iter()
                    .map(|pod| pod.prongs)
                    .collect();
            }
            let fits = |prongs: &Prongs| stone.prongs.is_empty() || *prongs == stone.prongs;
            match free.iter().rposition(fits) {
                Some(at) => {
                    free.swap_remove(at);
                }
                None => too_many += 1,
            }
        }
        too_many
    }

    /// Returns whether a stone without prongs is on a point whose pods differ, so that it names
    /// none of them (spec O-04).
    #[must_use]
    pub fn is_ambiguous(&self, stone: &OctiStone) -> bool {
        let pods = self.pods(stone.field);
        stone.prongs.is_empty() && pods.iter().any(|pod| pod.prongs != pods[0].prongs)
    }

    /// Sets the number of parts of a kind in each player's reserve.
    pub fn set_reserve(&mut self, kind: OctiReserve, parts: u32) {
        for reserves in &mut self.reserves {
            reserves[kind as usize] = Some(parts);
        }
    }

    /// Takes a part from the reserve of `side`. Returns an error if the reserve is empty; the move
    /// is made nevertheless.
    fn spend(&mut self, side: Side, kind: OctiReserve) -> Result<(), Violation> {
        match self
            .reserves
            .get_mut(side.index())
            .and_then(|reserves| reserves[kind as usize].as_mut())
        {
            Some(0) => Err(Violation::NothingInReserve),
            Some(parts) => {
                *parts -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn at(&self, field: BoardCell) -> Result<usize, Violation> {
        field.index_on(self.size).ok_or(Violation::OffBoard)
    }

    fn push(&mut self, field: BoardCell, pod: Pod) -> Result<(), Violation> {
        let at = self.at(field)?;
        if self.pods == OCTI_PODS_MAX {
            return Err(Violation::TooManyPieces);
        }
        self.pods += 1;
        self.stacks[at].push(pod);
        Ok(())
    }

    /// Removes the usual pods of a side, if setup has not replaced them.
    fn drop_usual(&mut self, side: Side) {
        if self
            .has_usual
            .get_mut(side.index())
            .is_some_and(std::mem::take)
        {
            self.stacks
                .iter_mut()
                .for_each(|stack| stack.retain(|pod| pod.side != side));
            self.pods = self.stacks.iter().map(Vec::len).sum();
        }
    }

    /// Finds the topmost pod that matches `stone`: of that side and with these prongs. A stone
    /// without prongs matches a pod without prongs, or else any pod. In that case the third value
    /// is an error if the pods of the stack differ.
    fn find(
        &self,
        side: Option<Side>,
        stone: &OctiStone,
    ) -> Result<(usize, usize, Result<(), Violation>), Violation> {
        let at = self.at(stone.field)?;
        let stack = &self.stacks[at];
        let is_of_side = |pod: &Pod| side.is_none_or(|side| pod.side == side);
        if let Some(index) = stack
            .iter()
            .rposition(|pod| is_of_side(pod) && pod.prongs == stone.prongs)
        {
            return Ok((at, index, Ok(())));
        }
        let index = stack
            .iter()
            .rposition(is_of_side)
            .filter(|_| stone.prongs.is_empty());
        let index = index.ok_or(Violation::NoSuchStone)?;
        let is_alike = stack
            .iter()
            .all(|pod| !is_of_side(pod) || pod.prongs == stack[index].prongs);
        Ok((
            at,
            index,
            if is_alike {
                Ok(())
            } else {
                Err(Violation::AmbiguousStone)
            },
        ))
    }

    fn travel(
        &mut self,
        side: Side,
        journey: &PodPath,
        played: &mut Effects,
    ) -> Result<(), Violation> {
        let (at, index, named) = self.find(Some(side), &journey.stone)?;
        let pod = self.stacks[at].remove(index);
        self.pods -= 1;
        let mut fault = named.err();
        let mut from = journey.stone.field;
        for leg in &journey.legs {
            let line = queen_line(from, leg.to);
            let distance = line.map_or(0, |(_, distance)| distance);
            let has_prong = line.is_some_and(|(step, _)| pod.prongs.has(Prong::of_step(step)));
            if !has_prong || !(1..=2).contains(&distance) {
                fault = fault.or(Some(Violation::Blocked));
            }
            // A jump passes over the point between start and end.
            let jumped = (distance == 2)
                .then(|| {
                    BoardCell::new(
                        (from.column + leg.to.column) / 2,
                        (from.row + leg.to.row) / 2,
                    )
                })
                .and_then(|field| field.index_on(self.size));
            if distance == 2 && jumped.is_none_or(|at| self.stacks[at].is_empty()) {
                fault = fault.or(Some(Violation::Blocked));
            }
            for prongs in &leg.takes {
                fault = fault.or(self.take(side, jumped, *prongs, played).err());
            }
            from = leg.to;
        }
        self.push(from, pod)?;
        fault.map_or(Ok(()), Err)
    }

    /// Captures from a jumped stack: the pod with these prongs, or all pods.
    fn take(
        &mut self,
        side: Side,
        at: Option<usize>,
        prongs: Prongs,
        played: &mut Effects,
    ) -> Result<(), Violation> {
        let at = at.ok_or(Violation::NothingToTake)?;
        let stack = &mut self.stacks[at];
        let taken: Vec<Pod> = if prongs.is_empty() {
            std::mem::take(stack)
        } else {
            let index = stack
                .iter()
                .rposition(|pod| pod.prongs == prongs)
                .ok_or(Violation::NothingToTake)?;
            vec![stack.remove(index)]
        };
        self.pods -= taken.len();
        for pod in &taken {
            if pod.side == side {
                played.lost += 1;
            } else {
                played.captured += 1;
            }
        }
        if taken.is_empty() {
            Err(Violation::NothingToTake)
        } else {
            Ok(())
        }
    }
}

impl Board for OctiBoard {
    fn size(&self) -> BoardSize {
        self.size
    }

    /// Returns the owner of the topmost pod.
    fn stone(&self, field: BoardCell) -> Option<Side> {
        self.pods(field).last().map(|pod| pod.side)
    }

    fn content(&self, field: BoardCell) -> u64 {
        let add =
            |stack, pod: &Pod| add_to_stack(stack, pod.side.index() as u64, pod.prongs.bits());
        self.pods(field).iter().fold(0, add)
    }

    fn play(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal> {
        let Move::Octi(mv) = mv else {
            return Err(Illegal::NOT_A_MOVE);
        };
        self.has_usual = [false; 2];
        let mut played = Effects::default();
        let done = match mv {
            OctiMove::Place(field) => self
                .push(
                    *field,
                    Pod {
                        side,
                        prongs: Prongs::default(),
                    },
                )
                .and_then(|()| self.spend(side, OctiReserve::Pods)),
            OctiMove::Prong {
                stone,
                prong,
                strong,
                from,
            } => self.find(Some(side), stone).and_then(|(at, index, named)| {
                let prongs = &mut self.stacks[at][index].prongs;
                if from == &Some(*prong) {
                    return Err(Violation::Occupied);
                }
                let had = from.is_none_or(|from| prongs.remove(from));
                let is_new = prongs.add(*prong, *strong);
                match (had, is_new) {
                    (false, _) => Err(Violation::NoSuchStone),
                    (true, false) => Err(Violation::Occupied),
                    (true, true) if from.is_some() => named,
                    (true, true) => {
                        let kind = if *strong {
                            OctiReserve::Superprongs
                        } else {
                            OctiReserve::Prongs
                        };
                        named.and(self.spend(side, kind))
                    }
                }
            }),
            OctiMove::Travel(journeys) => {
                // An illegal path is played nevertheless, and so are the paths after it.
                let mut done = Ok(());
                for journey in journeys {
                    let traveled = self.travel(side, journey, &mut played);
                    done = done.and(traveled);
                }
                done
            }
        };
        // The page does not define which reserve receives captured pods and their prongs, so both
        // reserves are unknown from here on.
        if played.captured + played.lost > 0 {
            self.reserves = Default::default();
        }
        Illegal::unless_fine(done.err(), played)
    }

    /// Places a pod with its prongs, empties a point, or removes the topmost matching pod (spec
    /// O-30).
    fn set_up(&mut self, setup: Setup, stone: &Stone) -> Result<(), Illegal> {
        let Stone::Pod(stone) = stone else {
            return Err(Illegal::NOT_A_MOVE);
        };
        let done = match setup {
            Setup::Stone(Some(side)) => {
                [Side::Black, Side::White]
                    .into_iter()
                    .for_each(|side| self.drop_usual(side));
                self.push(
                    stone.field,
                    Pod {
                        side,
                        prongs: stone.prongs,
                    },
                )
            }
            Setup::OctiSquare(side) => {
                self.drop_usual(side);
                self.push(
                    stone.field,
                    Pod {
                        side,
                        prongs: Prongs::default(),
                    },
                )
            }
            Setup::Stone(None) => self.at(stone.field).map(|at| {
                self.pods -= self.stacks[at].len();
                self.stacks[at].clear();
            }),
            Setup::RemovePod => self.find(None, stone).and_then(|(at, index, named)| {
                self.pods -= 1;
                self.stacks[at].remove(index);
                named
            }),
            _ => return Err(Illegal::NOT_A_MOVE),
        };
        done.map_err(Illegal::nothing_done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: BoardSize = BoardSize::square(9);

    fn board(stones: &[(Side, &str)]) -> OctiBoard {
        let mut board = OctiBoard::new(SIZE).expect("fits");
        for (side, stone) in stones {
            let pod = OctiStone::parse(SIZE, stone.as_bytes()).expect(stone);
            board
                .set_up(Setup::Stone(Some(*side)), &Stone::Pod(pod))
                .expect("on the board");
        }
        board
    }

    fn play(board: &mut OctiBoard, side: Side, text: &str) -> Result<Effects, Violation> {
        let mv = Move::Octi(OctiMove::parse(SIZE, text.as_bytes()).expect(text));
        board.play(side, &mv).map_err(|illegal| illegal.reason)
    }

    fn pods(board: &OctiBoard, point: &str) -> Vec<String> {
        let field = super::super::parse_point(SIZE, point.as_bytes()).expect(point);
        board
            .pods(field)
            .iter()
            .map(|pod| pod.prongs.to_string())
            .collect()
    }

    #[test]
    fn the_captures_of_the_page() {
        // Black on 84 jumps over 85 to 86, then over 77 to 68.
        let stones = [
            (Side::Black, "84AH"),
            (Side::Black, "85"),
            (Side::White, "77D"),
            (Side::White, "77AB"),
        ];
        let mut first = board(&stones);
        assert_eq!(
            play(&mut first, Side::Black, "84-86-68x").map(|played| played.captured),
            Ok(2)
        );
        assert_eq!(
            (pods(&first, "68"), pods(&first, "77").len()),
            (vec!["AH".to_owned()], 0)
        );
        let mut second = board(&stones);
        assert_eq!(
            play(&mut second, Side::Black, "84-86x-68").map(|played| played.lost),
            Ok(1)
        );
        assert_eq!(pods(&second, "77"), ["D", "AB"]);
        let mut third = board(&stones);
        assert_eq!(
            play(&mut third, Side::Black, "84-86-68xAB").map(|played| played.captured),
            Ok(1)
        );
        assert_eq!(pods(&third, "77"), ["D"]);
    }

    #[test]
    fn prongs_and_stacks() {
        let mut board = board(&[(Side::Black, "33")]);
        play(&mut board, Side::Black, "33+B!").expect("legal");
        assert_eq!(pods(&board, "33"), ["B!"]);
        play(&mut board, Side::Black, "33+A-B").expect("legal");
        assert_eq!(pods(&board, "33"), ["A"]);
        assert_eq!(
            play(&mut board, Side::Black, "33+A"),
            Err(Violation::Occupied)
        );
        assert_eq!(
            play(&mut board, Side::White, "33+B"),
            Err(Violation::NoSuchStone)
        );
        board
            .push(
                BoardCell::new(2, 6),
                Pod {
                    side: Side::Black,
                    prongs: Prongs::default(),
                },
            )
            .expect("on the board");
        play(&mut board, Side::Black, "33+C").expect("the pod without prongs");
        assert_eq!(
            play(&mut board, Side::Black, "33+E"),
            Err(Violation::AmbiguousStone)
        );
        assert_eq!(pods(&board, "33"), ["A", "CE"]);
        play(&mut board, Side::White, "73").expect("legal");
        assert_eq!(
            play(&mut board, Side::White, "73-74"),
            Err(Violation::Blocked)
        );
        assert_eq!(pods(&board, "74"), [""]);
        assert_eq!(
            play(&mut board, Side::Black, "33A-34x"),
            Err(Violation::NothingToTake)
        );
    }
}
