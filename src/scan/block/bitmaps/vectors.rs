//! Trait of all implementations that classify 64 bytes.

/// Number of bytes in a block, one for each bit of a bitmap.
pub(crate) const BLOCK: usize = 64;

/// Classes of the bytes of a block that do not depend on their neighbors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bitmaps {
    /// `[`
    pub(crate) open: u64,
    /// `]`
    pub(crate) close: u64,
    /// `\`
    pub(crate) escape: u64,
    /// `;`
    pub(crate) semicolon: u64,
    /// `(`
    pub(crate) left: u64,
    /// `)`
    pub(crate) right: u64,
    /// Capitals and digits.
    pub(crate) capital: u64,
    /// All bytes up to the space except NUL, which the reader reports.
    pub(crate) blank: u64,
    /// 0x80 and more.
    pub(crate) high: u64,
    /// The first bytes of characters of two bytes, in GBK, GB18030, Big5 or Shift_JIS.
    pub(crate) lead: u64,
    /// The first bytes of characters of UTF-8 with several bytes.
    pub(crate) utf8_start: u64,
    /// 0xC0 and more.
    pub(crate) from_c0: u64,
}

/// Adds the classes of some bytes to `$maps`. The arguments compare the bytes with one byte or a
/// range, and make bits of the result.
macro_rules! add_classes {
    ($maps:ident, $equal:ident, $between:ident, $or:expr, $high:expr, $put:ident) => {
        $maps.open |= $put($equal(b'['));
        $maps.close |= $put($equal(b']'));
        $maps.escape |= $put($equal(b'\\'));
        $maps.semicolon |= $put($equal(b';'));
        $maps.left |= $put($equal(b'('));
        $maps.right |= $put($equal(b')'));
        $maps.capital |= $put($or($between(b'A', b'Z'), $between(b'0', b'9')));
        $maps.blank |= $put($between(1, b' '));
        $maps.high |= $put($high);
        $maps.lead |= $put($between(0x81, 0xFE));
        $maps.utf8_start |= $put($between(0xC2, 0xF4));
        $maps.from_c0 |= $put($between(0xC0, 0xFF));
    };
}

/// Work on the bytes of one block or many. It is compiled once for each kind of vectors, together
/// with the code that makes bitmaps, because a call between the two would cost as much as either.
pub(crate) trait Work<Bytes: ?Sized> {
    type Output;
    /// Does the work; must be `inline(always)`. It borrows the work, because copying it just after
    /// it was written would stall.
    fn work<V: Vectors>(&mut self, bytes: &Bytes, vectors: V) -> Self::Output;
}

/// Implementation that classifies 64 bytes. A value exists only where the machine supports it, so
/// every holder may use it.
pub(crate) trait Vectors: Copy {
    fn bitmaps(self, block: &[u8; BLOCK]) -> Bitmaps;

    /// Returns the lowercase letters. Only files before FF[4] have them in identifiers.
    #[inline(never)]
    fn lowercase(self, block: &[u8; BLOCK]) -> u64 {
        let mut map = 0;
        for (index, eight) in block.as_chunks::<8>().0.iter().enumerate() {
            let word = u64::from_le_bytes(*eight);
            let low = word & 0x7F7F_7F7F_7F7F_7F7F;
            let from_a = low + 0x1F1F_1F1F_1F1F_1F1F;
            let behind_z = low + 0x0505_0505_0505_0505;
            let bits = from_a & !behind_z & !word & 0x8080_8080_8080_8080;
            map |= ((bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * index);
        }
        map
    }

    /// Writes the places of `bits`, counted from `first`, and the bytes there. Numbers after the
    /// last place have no meaning.
    #[inline(always)]
    fn write(
        self,
        mut bits: u64,
        first: u16,
        out: &mut [u16; BLOCK],
        block: &[u8; BLOCK],
        kinds: &mut [u8; BLOCK],
    ) {
        // Eight at once, so that the end of the loop is predictable.
        for (eight, kinds) in out
            .as_chunks_mut::<8>()
            .0
            .iter_mut()
            .zip(kinds.as_chunks_mut::<8>().0)
        {
            for (place, kind) in eight.iter_mut().zip(kinds) {
                let bit = bits.trailing_zeros();
                *place = first.wrapping_add(bit as u16);
                *kind = block[bit as usize % BLOCK];
                bits &= bits.wrapping_sub(1);
            }
            if bits == 0 {
                return;
            }
        }
    }
}

/// For each byte, the places of its bits, and then 0.
#[cfg(target_arch = "x86_64")]
pub(super) static PLACES_IN_BYTE: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                places[byte][count] = bit as u8;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    places
};

pub(super) use add_classes;
