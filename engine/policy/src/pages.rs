//! Some pages of one unit, as bits.

/// Some pages of a unit: a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pages(pub u64);

impl Pages {
    /// All pages of any unit.
    pub const ALL: Self = Self(u64::MAX);

    /// Page number `page`.
    pub fn one(page: u32) -> Self {
        Self(1 << page)
    }

    /// The first `count` pages, at least one.
    pub fn first(count: u32) -> Self {
        Self(u64::MAX >> (64 - count))
    }

    /// How many they are.
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether all of `other` are among them.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Those that are not in `other`.
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Runs of neighbours: the first one of each, and how many they are.
    pub fn runs(self) -> impl Iterator<Item = (u32, u32)> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let first = (left != 0).then(|| left.trailing_zeros())?;
            let count = (left >> first).trailing_ones();
            left &= !(Self::first(count).0 << first);
            Some((first, count))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_make_one_run() {
        let runs = |bits| Pages(bits).runs().collect::<Vec<_>>();
        assert_eq!(runs(0), []);
        assert_eq!(runs(0b1011), [(0, 2), (3, 1)]);
        assert_eq!(runs(0b1000_0110), [(1, 2), (7, 1)]);
        assert_eq!(runs(u64::MAX), [(0, 64)]);
        assert_eq!(
            [Pages::first(4), Pages::first(64), Pages::one(2)],
            [Pages(15), Pages(u64::MAX), Pages(4)]
        );
        assert!(Pages(6).has(Pages(2)) && !Pages(6).has(Pages(3)) && Pages(6).without(Pages(2)) == Pages(4));
    }
}
