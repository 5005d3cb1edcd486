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

/// A reader's memory of whether it was of use to read more than was asked for.
///
/// Guesses pause after one that was in vain: for one read at first, for twice as many after each further one. Readers of
/// single values else pay for a guess with every second read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guesses {
    /// The last read brought more than one record, and none has been asked for since.
    is_open: bool,
    /// Guesses in a row that were in vain.
    in_vain: u32,
    /// Reads until the next one.
    pause: u32,
}

/// A pause has two to the power of so many reads at most, so that a reader who begins to read on is soon noticed.
const LONGEST_PAUSE: u32 = 4;

impl Guesses {
    /// A record was wanted that the last read brought besides.
    pub fn were_of_use(&mut self) {
        *self = Self::default();
    }

    /// Bytes to read for who wants a record in `least` bytes first; not beyond `most`, which are at least as many.
    pub fn bytes(&mut self, wish: Wish, least: usize, most: usize) -> usize {
        let was_in_vain = std::mem::take(&mut self.is_open);
        if was_in_vain {
            self.pause = 1 << self.in_vain.min(LONGEST_PAUSE);
            self.in_vain += 1;
        }
        let is_over = self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
        let bytes = match wish {
            Wish::Around if is_over => AROUND,
            Wish::With(bytes) if is_over => AROUND.max(bytes),
            Wish::Some(bytes) if !was_in_vain => bytes,
            Wish::Around | Wish::Some(_) => least,
            Wish::With(bytes) | Wish::All(bytes) => bytes,
        };
        let bytes = bytes.min(AHEAD).min(most).max(least);
        self.is_open = bytes > least;
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: usize = 1 << 10;
    const LEAST: usize = 8 * KIB;
    const MOST: usize = 4096 * KIB;

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
            let mut guesses = Guesses::default();
            assert_eq!(guesses.bytes(wish, LEAST, MOST), of_use * KIB, "{wish:?}");
            assert_eq!(guesses.bytes(wish, LEAST, MOST), of_no_use * KIB, "{wish:?}");
            guesses.were_of_use();
            assert_eq!(guesses.bytes(wish, LEAST, MOST), of_use * KIB, "{wish:?}");
            assert_eq!(Guesses::default().bytes(wish, LEAST, 9 * KIB), of_use.min(9) * KIB, "{wish:?}");
        }
    }

    /// Of so many reads of single records, those that read more.
    fn guesses(guesses: &mut Guesses, reads: usize) -> Vec<usize> {
        (0..reads).filter(|_| guesses.bytes(Wish::Around, LEAST, MOST) > LEAST).collect()
    }

    #[test]
    fn guesses_in_vain_become_rare() {
        let mut reader = Guesses::default();
        assert_eq!(guesses(&mut reader, 70), [0, 2, 5, 10, 19, 36, 53]);
        reader.were_of_use();
        assert_eq!(guesses(&mut reader, 6), [0, 2, 5]);
    }

    #[test]
    fn who_reads_on_does_not_wait_for_the_next_guess() {
        let mut reader = Guesses::default();
        guesses(&mut reader, 54);
        assert_eq!(reader.bytes(Wish::Some(48 * KIB), LEAST, MOST), LEAST, "the last read was in vain");
        assert_eq!(reader.bytes(Wish::Some(48 * KIB), LEAST, MOST), 48 * KIB);
    }
}
