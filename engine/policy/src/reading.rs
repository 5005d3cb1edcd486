//! How much of the SSD is read at once. A pure decision over numbers; the SSD tier carries it out.

/// Most bytes read for who reads on: a piece of a window, with what its records have besides. A read costs CPU time, about
/// as much as the bytes do where it has 64 KiB (a virtual SSD of 2026).
pub const AHEAD: usize = 272 << 10;

/// Bytes read for who does not: a few units more, for about a third of the time again. Units are written in order of
/// their addresses, and what lies together is often wanted together.
const AROUND: usize = 32 << 10;

/// The reader's wish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// One record, and nobody knows what else.
    Around,
    /// Records in these bytes, and nobody knows what else.
    With(usize),
    /// Records in about so many bytes.
    Some(usize),
    /// Records in these bytes.
    All(usize),
}

/// Bytes to read for who wants a record in `least` bytes first. `was_of_use`: what the last read brought besides was wanted;
/// else nothing is read but what is wanted for sure.
pub fn bytes(wish: Wish, least: usize, was_of_use: bool) -> usize {
    let (several, sure) = match wish {
        Wish::Around => (AROUND, least),
        Wish::Some(bytes) => (bytes, least),
        Wish::All(bytes) => (bytes, bytes),
        Wish::With(bytes) => (AROUND.max(bytes), bytes),
    };
    (if was_of_use { several } else { sure }).min(AHEAD)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: usize = 1 << 10;

    #[test]
    fn more_is_read_than_is_wanted_as_long_as_that_is_of_use() {
        let cases = [
            (Wish::Around, 32, 8),
            (Wish::With(16 * KIB), 32, 16),
            (Wish::With(64 * KIB), 64, 64),
            (Wish::Some(48 * KIB), 48, 8),
            (Wish::All(48 * KIB), 48, 48),
            (Wish::All(1024 * KIB), 272, 272),
        ];
        for (wish, of_use, of_no_use) in cases {
            assert_eq!(bytes(wish, 8 * KIB, true), of_use * KIB, "{wish:?}");
            assert_eq!(bytes(wish, 8 * KIB, false), of_no_use * KIB, "{wish:?}");
        }
    }
}
