//! Reads the clocks and the evaluations that the properties of a node state.

use super::{Color, Evaluation, Real};

/// Clocks and evaluations of a node. [`read`](Self::read) takes each property that is not a move.
///
/// ```
/// use sgfstream_game::value::NodeReadings;
///
/// let mut readings = NodeReadings::default();
/// for (ident, raw) in [("BL", "56.5"), ("OB", "5"), ("SBKV", "55.34")] {
///     readings.read(ident.as_bytes(), raw.as_bytes());
/// }
/// assert_eq!(
///     (readings.time_left, readings.overtime_moves),
///     ([Some(56.5), None], [Some(5.0), None])
/// );
/// assert_eq!(readings.evaluation(Some(1)).winrate, Some(0.5534));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct NodeReadings {
    /// Seconds on the clocks of Black and White: `BL` and `WL`.
    pub time_left: [Option<f64>; 2],
    /// Moves or periods that Black and White have left in overtime: `OB` and `OW`.
    pub overtime_moves: [Option<f64>; 2],
    /// Evaluations from the view of the side that moved, and from the view of Black.
    evaluations: [Evaluation; 2],
    /// Evaluation of Lizzie's second engine, for nodes without another one.
    second: Evaluation,
}

impl NodeReadings {
    /// Reads the first value of the property with this canonical identifier. Other properties
    /// change nothing.
    pub fn read(&mut self, ident: &[u8], raw: &[u8]) {
        let [time, overtime] = [&mut self.time_left, &mut self.overtime_moves];
        let clock = match ident {
            b"BL" => &mut time[0],
            b"WL" => &mut time[1],
            b"OB" => &mut overtime[0],
            b"OW" => &mut overtime[1],
            _ => {
                if let Some(read) = Evaluation::read(ident, raw) {
                    let [of_mover, of_black] = &mut self.evaluations;
                    let evaluation = match ident {
                        b"LZ2" | b"LZOP2" => &mut self.second,
                        _ if read.is_of_mover => of_mover,
                        _ => of_black,
                    };
                    evaluation.add(&read);
                }
                return;
            }
        };
        if let Ok(left) = Real::parse_lenient(raw) {
            *clock = Some(left.value.get());
        }
    }

    /// Returns whether the node states neither a clock nor an evaluation.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the evaluation from Black's view; `mover` is the color, from 1, that made the last
    /// move of the node.
    #[must_use]
    pub fn evaluation(&self, mover: Option<u8>) -> Evaluation {
        let mover = match mover {
            Some(1) => Some(Color::Black),
            Some(2) => Some(Color::White),
            _ => None,
        };
        let [of_mover, of_black] = &self.evaluations;
        let mut found = of_mover.of_black(mover);
        found.add(of_black);
        if found == Evaluation::default() {
            self.second.of_black(mover)
        } else {
            found
        }
    }
}
