//! Whose stalls for want of memory the kernel tells of.
//!
//! Where it tells of the whole system only, that counts processes, too, that have used up a limit of their own. So it is
//! a matter of this process only while memory is short here.

/// A memory, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// All of it.
    pub limit: u64,
    /// Memory that is still to be had.
    pub left: u64,
}

/// The system is short of memory when less than this part is left.
const OF_SYSTEM: u64 = 8;

/// A group is when less than this part of its limit is left.
const OF_GROUP: u64 = 16;

/// Whether stalls of the whole system count: memory is short in the system, or in this process's group. `None` = nobody
/// knows.
pub fn are_ours(system: Option<Memory>, group: Option<Memory>) -> bool {
    let is_short = |memory: Option<Memory>, part| memory.is_some_and(|it| it.left < it.limit / part);
    is_short(system, OF_SYSTEM) || is_short(group, OF_GROUP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stalls_count_where_memory_is_short() {
        let memory = |left| Some(Memory { limit: 1600, left });
        let cases = [
            ((None, None), false),
            ((memory(200), None), false),
            ((memory(199), None), true),
            ((memory(1600), memory(100)), false),
            ((memory(1600), memory(99)), true),
            ((None, memory(0)), true),
        ];
        for ((system, group), expected) in cases {
            assert_eq!(are_ours(system, group), expected, "{system:?}, {group:?}");
        }
    }
}
