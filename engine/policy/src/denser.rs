//! Whether objects of the pool are made smaller before any goes to SSD. Pure decisions over numbers; the range's demoter
//! carries them out.
//!
//! A denser codec costs time once for each object, and a little more with each read. The room that it makes saves reads of
//! the SSD for as long as objects stay as they are. So it pays where units come back from the SSD often, and not while a
//! program only fills memory.

use crate::balance::Margin;

/// Objects that a denser codec was tried on, and how small they got.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    /// Objects.
    pub objects: u64,
    /// Bytes that the pool had for them.
    pub from: u64,
    /// Bytes that it has for them now.
    pub to: u64,
    /// Nanoseconds that it took.
    pub ns: u64,
}

/// The last second, as the governor counted it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Units that came back from SSD, of those that the pool nearly had.
    pub returned: Margin,
    /// Nanoseconds that a read of the SSD takes.
    pub read: u64,
    /// Units that the pool has.
    pub pooled: u64,
    /// Units that left memory without a copy, so that the pool got new objects of them.
    pub written: u64,
}

/// Whether it pays, by what was tried lately.
#[derive(Clone, Copy, Debug, Default)]
pub struct Denser {
    /// Older ones fade: a sixteenth in each second.
    tried: Tried,
}

/// A guess that counts before anything was tried, and a little ever after, so that it is tried again some day: zstd on units
/// of 8 KiB of real heaps.
const GUESS: Tried = Tried { objects: 64, from: 64 * 4096, to: 64 * 3072, ns: 64 * 30_000 };

/// Nanoseconds by which reading a denser object takes longer (zstd in place of lz4, 8 KiB: 10 to 12 us for 4.5).
const SLOWER: f64 = 7_000.0;

/// Seconds for which an object is thought to stay as it is at most: programs change what they do.
const LONGEST: f64 = 30.0;

/// Fewer faults say nothing.
const ENOUGH: u64 = 32;

impl Denser {
    /// Takes in what was tried in the last second.
    pub fn learn(&mut self, new: Tried) {
        let faded = |sum: u64, new: u64| sum / 16 * 15 + new;
        self.tried = Tried {
            objects: faded(self.tried.objects, new.objects),
            from: faded(self.tried.from, new.from),
            to: faded(self.tried.to, new.to),
            ns: faded(self.tried.ns, new.ns),
        };
    }

    /// Whether the next second should try it.
    pub fn pays(&self, Terms { returned, read, pooled, written }: Terms) -> bool {
        if returned.faults < ENOUGH {
            return false;
        }
        let of = |sum: u64, guess: u64| (sum + guess) as f64;
        let more = of(self.tried.from, GUESS.from) / of(self.tried.to, GUESS.to) - 1.0;
        let cost = of(self.tried.ns, GUESS.ns) / of(self.tried.objects, GUESS.objects);
        let often = returned.faults as f64 / returned.units.max(ENOUGH) as f64;
        let life = (pooled as f64 / written.max(1) as f64).min(LONGEST);
        often * (more * read as f64 - SLOWER) * life > cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: Terms =
        Terms { returned: Margin { faults: 2000, units: 8000 }, read: 80_000, pooled: 50_000, written: 1000 };

    #[test]
    fn reads_that_are_saved_pay_for_it() {
        let returned = |faults| Margin { faults, units: 8000 };
        for (terms, expected) in [
            (BASE, true),
            (Terms { returned: returned(31), ..BASE }, false),
            (Terms { returned: returned(300), ..BASE }, false),
            (Terms { written: 5_000, ..BASE }, true),
            (Terms { written: 10_000, ..BASE }, false),
            (Terms { read: 20_000, ..BASE }, false),
        ] {
            assert_eq!(Denser::default().pays(terms), expected, "{terms:?}");
        }
    }

    #[test]
    fn what_hardly_gets_smaller_is_given_up_and_tried_again() {
        let mut denser = Denser::default();
        denser.learn(Tried { objects: 10_000, from: 60 << 20, to: 58 << 20, ns: 400_000_000 });
        assert!(!denser.pays(BASE));
        (0..200).for_each(|_| denser.learn(Tried::default()));
        assert!(denser.pays(BASE), "data may have changed");
    }
}
