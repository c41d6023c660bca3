//! `rename`, `short-names`, `gorilla`, `pentobi`: other identifiers, and what
//! goes with them.

use std::borrow::Cow;

use crate::game::gorilla;
use crate::game::pentobi::{Piece, canonical_ident};
use crate::game::{Game, MoveIds, Variant};

use super::markup::labels;
use super::{Context, Edit, EditFault, Next, Unit};

/// Another identifier for one.
pub(super) struct Rename {
    old: Vec<u8>,
    new: Vec<u8>,
}

impl Rename {
    /// `OLD=NEW`.
    pub(super) fn parse(text: &str) -> Result<Self, EditFault> {
        let is_ident = |ident: &str| {
            !ident.is_empty() && ident.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        };
        match text.split_once('=') {
            Some((old, new)) if is_ident(old) && is_ident(new) => Ok(Self { old: old.into(), new: new.into() }),
            _ => Err(EditFault::new(format!("expected OLD=NEW, such as SL=SQ, found `{text}`"))),
        }
    }
}

impl Edit for Rename {
    fn name(&self) -> &'static str {
        "rename"
    }

    fn unit(&mut self, unit: &mut Unit, _: &Context, next: &mut Next<'_>) {
        for number in 0..unit.count() {
            if unit.ident(number).is(&self.old) {
                unit.rename(number, &self.new);
                next.count(u64::from(unit.is_property_start(number)));
            }
        }
        next.push(unit);
    }
}

/// Old long names as FF\[4\] has them: without lowercase letters (spec I-02).
pub(super) struct ShortNames;

impl Edit for ShortNames {
    fn name(&self) -> &'static str {
        "short-names"
    }

    fn unit(&mut self, unit: &mut Unit, _: &Context, next: &mut Next<'_>) {
        next.count(shorten(unit));
        next.push(unit);
    }
}

/// Drops the lowercase letters of identifiers; says how many had some.
pub(super) fn shorten(unit: &mut Unit) -> u64 {
    let mut changed = 0;
    for number in 0..unit.count() {
        if let Cow::Owned(canonical) = unit.ident(number).canonical()
            && !canonical.is_empty()
        {
            changed += u64::from(unit.is_property_start(number));
            unit.rename(number, &canonical);
        }
    }
    changed
}

/// What GoRilla does to old files: identifiers without digits and lowercase
/// letters, M to MA, L to LB, SL to SQ (spec G-22, G-24). Not in games whose
/// identifiers have digits.
pub(super) struct Gorilla;

impl Edit for Gorilla {
    fn name(&self) -> &'static str {
        "gorilla"
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if unit.is_node() && at.game.variant().is_none() && !at.game.is_boardspace() && at.game != Game::Other {
            for number in 0..unit.count() {
                let written = unit.ident(number).as_bytes().to_vec();
                let stripped = gorilla::stripped(&written);
                if stripped.is_empty() {
                    continue;
                }
                let converted = gorilla::converted(&stripped);
                if converted == written {
                    continue;
                }
                if &*stripped == b"L" && !labels(unit, number) {
                    // Too long to be held: its letters cannot be counted.
                    next.note("lists of letters were too long to become labels");
                    continue;
                }
                unit.rename(number, converted);
                next.count(u64::from(unit.is_property_start(number)));
            }
        }
        next.push(unit);
    }
}

/// What Pentobi does to its old files: BLUE, YELLOW, RED, GREEN and misplaced
/// numbers as the identifiers of today, a move as one value (spec P-21, P-22,
/// P-39).
pub(super) struct Pentobi;

impl Edit for Pentobi {
    fn name(&self) -> &'static str {
        "pentobi"
    }

    fn unit(&mut self, unit: &mut Unit, at: &Context, next: &mut Next<'_>) {
        if let (true, Some(variant)) = (unit.is_node(), at.game.variant()) {
            for number in 0..unit.count() {
                let mut changed = join_values(unit, number, variant, at.game.move_ids());
                let written = unit.ident(number).canonical().into_owned();
                let canonical = canonical_ident(variant, &written);
                if *canonical != *written {
                    unit.rename(number, &canonical);
                    changed = true;
                }
                next.count(u64::from(changed && unit.is_property_start(number)));
            }
        }
        next.push(unit);
    }
}

/// A move that is a list of points as one value, in Pentobi's order where it
/// is a piece.
fn join_values(unit: &mut Unit, number: usize, variant: Variant, moves: MoveIds) -> bool {
    let Some(property) = unit.property(number) else { return false };
    if !moves.contains(property.ident()) || property.only().is_some() {
        return false;
    }
    let values: Vec<&[u8]> = property.values().map(|value| value.as_bytes()).collect();
    let joined = match Piece::parse_values(variant, values.iter().copied()) {
        Ok(piece) => piece.show(variant).to_string().into_bytes(),
        Err(_) => values.iter().map(|value| value.trim_ascii()).collect::<Vec<_>>().join(&b','),
    };
    let raw = [property.ident().as_bytes(), b"[", &joined, b"]"].concat();
    let framing = property.framing();
    unit.replace(number, &raw, framing);
    true
}
