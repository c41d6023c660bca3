//! Interned identifiers, shared by all readers. Most files use the same few identifiers, which
//! JavaScript learns once.

use std::cell::RefCell;

/// Maximum number and maximum length of interned names. All other names are written out each time.
const NAMES: usize = 512;
const LONGEST: usize = 16;

/// Slots of the hash table, which is never more than half full.
const PLACES: usize = 2 * NAMES;

struct Names {
    names: Vec<Box<[u8]>>,
    /// Numbers of names, from 1, by their hash; 0 is a free slot.
    places: [u16; PLACES],
}

thread_local! {
    static KNOWN: RefCell<Names> = const { RefCell::new(Names { names: Vec::new(), places: [0; PLACES] }) };
}

/// Returns the number of an identifier as written, if it is or can be interned.
#[inline(always)]
pub(crate) fn number_of(written: &[u8]) -> Option<usize> {
    KNOWN.with_borrow_mut(|known| {
        let mut place = hash(written);
        loop {
            match known.places[place] {
                0 => return known.add(written, place),
                number if *known.names[usize::from(number) - 1] == *written => {
                    return Some(usize::from(number) - 1);
                }
                _ => place = (place + 1) % PLACES,
            }
        }
    })
}

fn hash(written: &[u8]) -> usize {
    let mixed = written.iter().take(LONGEST).fold(0u32, |hash, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    (mixed ^ mixed >> 15) as usize % PLACES
}

impl Names {
    #[cold]
    fn add(&mut self, written: &[u8], place: usize) -> Option<usize> {
        if self.names.len() == NAMES || written.len() > LONGEST {
            return None;
        }
        self.names.push(written.into());
        self.places[place] = self.names.len() as u16;
        Some(self.names.len() - 1)
    }
}

/// Returns the number of interned names.
pub(crate) fn count() -> usize {
    KNOWN.with_borrow(|known| known.names.len())
}

/// Returns the name of a number: the identifier without lowercase letters, a space, and the
/// identifier as written.
pub(crate) fn name_of(number: usize) -> String {
    KNOWN.with_borrow(|known| {
        let Some(written) = known.names.get(number) else {
            return String::new();
        };
        let canonical = sgfstream::Ident::new(written).canonical();
        format!(
            "{} {}",
            String::from_utf8_lossy(&canonical),
            String::from_utf8_lossy(written)
        )
    })
}
