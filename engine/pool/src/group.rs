//! Groups of chunks that have both objects and free slots.

/// A list that a chunk may be in, of those of its class and shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Group(pub u8);

impl Group {
    /// In no list: unused, empty or full.
    pub const NONE: Self = Self(0);
    /// Its objects are to be moved away. New ones go there only if there is no other room.
    pub const SOURCE: Self = Self(1);
    const SPARSEST: u8 = 2;
    const FULLNESSES: u8 = 8;
    /// Values that there are.
    pub const COUNT: usize = (Self::SPARSEST + Self::FULLNESSES) as usize;

    /// Where a chunk belongs that was in group `before`, if `used` of its `slots` are in use, and `touched` ever were.
    pub fn of(used: u16, touched: u16, slots: u16, before: Self) -> Self {
        match used {
            0 => Self::NONE,
            _ if used == slots => Self::NONE,
            _ if before == Self::SOURCE => Self::SOURCE,
            _ => {
                let eighth = u32::from(used) * u32::from(Self::FULLNESSES) / u32::from(touched);
                Self(Self::SPARSEST + (eighth as u8).min(Self::FULLNESSES - 1))
            }
        }
    }

    /// Where a chunk belongs that nothing was freed in.
    pub fn newest() -> Self {
        Self(Self::SPARSEST + Self::FULLNESSES - 1)
    }

    /// All by fullness, the emptiest first.
    pub fn sparsest_first() -> impl DoubleEndedIterator<Item = Self> {
        (Self::SPARSEST..Self::COUNT as u8).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_grouped_by_eighths_of_the_memory_that_they_took() {
        let of = |used, touched| Group::of(used, touched, 32, Group::NONE);
        assert_eq!((of(0, 32), of(32, 32)), (Group::NONE, Group::NONE));
        let groups: Vec<Group> = Group::sparsest_first().collect();
        let some = [of(1, 32), of(3, 32), of(4, 32), of(27, 32), of(28, 32), of(31, 32), of(4, 8), of(8, 8)];
        assert_eq!(some, [0, 0, 1, 6, 7, 7, 4, 7].map(|at: usize| groups[at]));
        assert_eq!(groups.len() + 2, Group::COUNT);
    }

    #[test]
    fn a_source_stays_one_until_it_is_empty_or_full() {
        let of = |used| Group::of(used, 16, 16, Group::SOURCE);
        assert_eq!([0, 1, 15, 16].map(of), [Group::NONE, Group::SOURCE, Group::SOURCE, Group::NONE]);
    }
}
