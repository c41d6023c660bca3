//! Moves of Octi (spec O-05 to O-12).

use std::fmt;

use crate::value::{BoardSize, from_fn};

use super::super::{BoardCell, Fault};
use super::stone::{OctiStone, Prong, Prongs, parse_point, write_point};

const MOVE: &str =
    "a point, a stone with `+` and a prong, or a stone with `-` and the points it goes to";

/// Move of Octi.
///
/// ```
/// use sgfstream_game::octi::OctiMove;
/// use sgfstream_game::value::BoardSize;
///
/// let size = BoardSize::square(9);
/// for raw in ["73", "33+B!", "33+A-B", "84-86-68xDxAB", "46CD-56,46D-55"] {
///     assert_eq!(OctiMove::parse(size, raw.as_bytes())?.show(size).to_string(), raw);
/// }
/// # Ok::<(), sgfstream_game::board::Fault>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OctiMove {
    /// A new pod: a captured one if that is legal, else one from the reserve.
    Place(BoardCell),
    /// A new prong, or a prong moved to another direction.
    Prong {
        /// The pod.
        stone: OctiStone,
        /// The direction of the prong.
        prong: Prong,
        /// Whether it is a superprong (`!`).
        strong: bool,
        /// The old direction, if the prong was moved.
        from: Option<Prong>,
    },
    /// Steps and jumps of pods.
    Travel(Box<[PodPath]>),
}

/// Path of one pod.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PodPath {
    /// The pod.
    pub stone: OctiStone,
    /// Its steps and jumps, at least one.
    pub legs: Box<[Leg]>,
}

/// Part of a move: one step or jump.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Leg {
    /// The end of the leg.
    pub to: BoardCell,
    /// Captures: an entry for each `x`. An entry without prongs is the jumped pod, or the whole
    /// stack.
    pub takes: Box<[Prongs]>,
}

impl OctiMove {
    // Move    = Point | Stone "+" Prong ["!"] ["-" Prong] | PodPath {"," PodPath}
    // PodPath = Stone "-" Point Takes {"-" Point Takes}
    // Takes   = {"x" {Prong ["!"]}}
    /// Parses a move on a board of this size.
    ///
    /// # Errors
    /// [`Fault::Syntax`], [`Fault::OffBoard`], or [`Fault::Repeated`] if a prong is written twice.
    pub fn parse(size: BoardSize, raw: &[u8]) -> Result<Self, Fault> {
        let fault = Fault::Syntax(MOVE);
        let (stone, len) = OctiStone::read(size, raw).map_err(|fault| fault.with_syntax(MOVE))?;
        match &raw[len..] {
            [] if stone.prongs.is_empty() => Ok(Self::Place(stone.field)),
            [b'+', rest @ ..] => {
                let (&letter, rest) = rest.split_first().ok_or(fault)?;
                let prong = Prong::of_letter(letter).ok_or(fault)?;
                let strong = rest.first() == Some(&b'!');
                let from = match &rest[usize::from(strong)..] {
                    [] => None,
                    &[b'-', letter] => Some(Prong::of_letter(letter).ok_or(fault)?),
                    _ => return Err(fault),
                };
                Ok(Self::Prong {
                    stone,
                    prong,
                    strong,
                    from,
                })
            }
            [b'-', ..] => {
                let journeys = raw
                    .split(|&byte| byte == b',')
                    .map(|raw| PodPath::parse(size, raw));
                Ok(Self::Travel(journeys.collect::<Result<_, _>>()?))
            }
            _ => Err(fault),
        }
    }

    /// Displays the canonical form, for a board of this size.
    pub fn show(&self, size: BoardSize) -> impl fmt::Display + '_ {
        from_fn(move |f| self.write(f, size))
    }

    pub(in super::super) fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        size: BoardSize,
    ) -> fmt::Result {
        match self {
            Self::Place(field) => write_point(f, size, *field),
            Self::Prong {
                stone,
                prong,
                strong,
                from,
            } => {
                stone.write(f, size)?;
                write!(f, "+{prong}{}", if *strong { "!" } else { "" })?;
                from.map_or(Ok(()), |from| write!(f, "-{from}"))
            }
            Self::Travel(journeys) => {
                for (index, journey) in journeys.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { "," })?;
                    journey.write(f, size)?;
                }
                Ok(())
            }
        }
    }
}

impl PodPath {
    fn parse(size: BoardSize, raw: &[u8]) -> Result<Self, Fault> {
        let fault = Fault::Syntax(MOVE);
        let (stone, len) = OctiStone::read(size, raw).map_err(|fault| fault.with_syntax(MOVE))?;
        let mut rest = &raw[len..];
        let mut legs = Vec::new();
        while let [b'-', leg @ ..] = rest {
            let (point, mut tail) = leg.split_at_checked(2).ok_or(fault)?;
            let to = parse_point(size, point).map_err(|fault| fault.with_syntax(MOVE))?;
            let mut takes = Vec::new();
            while let [b'x', taken @ ..] = tail {
                let (prongs, len) = Prongs::read(taken)?;
                takes.push(prongs);
                tail = &taken[len..];
            }
            legs.push(Leg {
                to,
                takes: takes.into(),
            });
            rest = tail;
        }
        if legs.is_empty() || !rest.is_empty() {
            Err(fault)
        } else {
            Ok(Self {
                stone,
                legs: legs.into(),
            })
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, size: BoardSize) -> fmt::Result {
        self.stone.write(f, size)?;
        for leg in &self.legs {
            f.write_str("-")?;
            write_point(f, size, leg.to)?;
            leg.takes
                .iter()
                .try_for_each(|prongs| write!(f, "x{prongs}"))?;
        }
        Ok(())
    }
}

impl OctiStone {
    pub(in super::super) fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        size: BoardSize,
    ) -> fmt::Result {
        write_point(f, size, self.field)?;
        write!(f, "{}", self.prongs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_moves() {
        let read = |raw: &str| OctiMove::parse(BoardSize::square(9), raw.as_bytes());
        for raw in [
            "",
            "7",
            "731",
            "73A",
            "33+",
            "33+I",
            "33+b",
            "33+A-",
            "33+A-BB",
            "33+A!-",
            "84-",
            "84-8",
            "84-86-",
            "84-86y",
            "84-86xI",
            "46CD-56,",
            "46CD-56,46D",
            ",46D-55",
            "84--86",
            "84-86x-",
            "84 -86",
        ] {
            assert!(read(raw).is_err(), "{raw}");
        }
        assert!(matches!(
            read("33+A!-B"),
            Ok(OctiMove::Prong {
                strong: true,
                from: Some(_),
                ..
            })
        ));
        assert_eq!(
            OctiMove::parse(BoardSize::square(8), b"84-98"),
            Err(Fault::OffBoard)
        );
    }

    #[test]
    fn takes() {
        let Ok(OctiMove::Travel(journeys)) =
            OctiMove::parse(BoardSize::square(9), b"84-86x-68xDxAB")
        else {
            panic!("a travel")
        };
        let takes: Vec<_> = journeys[0].legs.iter().map(|leg| leg.takes.len()).collect();
        assert_eq!(takes, [1, 2]);
        assert!(journeys[0].legs[0].takes[0].is_empty());
        assert_eq!(journeys[0].legs[1].takes[1].to_string(), "AB");
    }
}
