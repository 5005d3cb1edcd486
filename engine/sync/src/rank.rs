//! The order in which threads wait for locks. Debug builds and models check it; a release build has nothing of it.
//!
//! A thread waits for a lock only if its rank is higher than that of any lock that the thread holds. So no two threads can
//! wait for each other. A lock that is only tried may have any rank, as nobody waits for it.

/// The purpose of a lock, from the outermost to the innermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The threads of a range: one thread at a time starts some.
    Threads,
    /// Work that one thread at a time does, and its working memory.
    Work,
    /// Units on the move, to SSD or to another object: one thread at a time moves them.
    Move,
    /// A unit. Of several units, the one with the lowest number comes first.
    Slot,
    /// Staging buffers, and the queue of those that were submitted.
    Staging,
    /// Promises of memory that others share.
    Promises,
    /// The limit of the pool, as the store knows it.
    Limit,
    /// The limit of the pool, as its chunks know it.
    Chunks,
    /// The rings of an accelerator.
    Rings,
    /// All others: under them no lock is waited for.
    Leaf,
}

/// A lock that the calling thread holds, until this is dropped.
#[derive(Debug)]
pub struct Held {
    #[cfg(debug_assertions)]
    place: (Rank, u32),
}

#[cfg(not(debug_assertions))]
impl Held {
    /// The calling thread is about to wait for a lock: of those of one rank, for the one with this number.
    #[inline(always)]
    pub fn wait(_: Rank, _: u32) -> Self {
        Self {}
    }

    /// The calling thread has a lock that it did not wait for.
    #[inline(always)]
    pub fn got(_: Rank, _: u32) -> Self {
        Self {}
    }
}

#[cfg(debug_assertions)]
mod checked {
    use std::cell::RefCell;

    use crate::rank::{Held, Rank};
    use crate::threads::thread_local;

    thread_local! {
        /// The locks that the thread holds, in order.
        static HELD: RefCell<Vec<(Rank, u32)>> = RefCell::default();
    }

    impl Held {
        /// The calling thread is about to wait for a lock: of those of one rank, for the one with this number.
        pub fn wait(rank: Rank, number: u32) -> Self {
            let last = HELD.with(|held| held.borrow().last().copied());
            let is_in_order = last.is_none_or(|last| last < (rank, number));
            assert!(is_in_order, "a thread that holds {last:?} must not wait for {:?}", (rank, number));
            Self::got(rank, number)
        }

        /// The calling thread has a lock that it did not wait for.
        pub fn got(rank: Rank, number: u32) -> Self {
            let place = (rank, number);
            HELD.with(|held| {
                let mut held = held.borrow_mut();
                let at = held.partition_point(|other| *other <= place);
                held.insert(at, place);
            });
            Self { place }
        }
    }

    impl Drop for Held {
        fn drop(&mut self) {
            HELD.with(|held| {
                let mut held = held.borrow_mut();
                if let Ok(at) = held.binary_search(&self.place) {
                    held.remove(at);
                }
            });
        }
    }
}

#[cfg(debug_assertions)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mutex;

    #[test]
    fn locks_are_waited_for_in_order() {
        let (outer, inner) = (Mutex::ranked(Rank::Staging, 1), Mutex::new(2));
        for _ in 0..2 {
            let outer = outer.lock();
            assert_eq!(*outer + *inner.lock(), 3);
        }
        let _slots = [3, 4, 7].map(|unit| Held::wait(Rank::Slot, unit));
        assert_eq!(*outer.lock(), 1);
    }

    #[test]
    #[should_panic(expected = "must not wait for (Staging, 0)")]
    fn the_other_way_round_they_are_not() {
        let (outer, inner) = (Mutex::ranked(Rank::Staging, ()), Mutex::new(()));
        let _inner = inner.lock();
        drop(outer.lock());
    }

    #[test]
    #[should_panic(expected = "must not wait for (Slot, 3)")]
    fn units_are_waited_for_in_order() {
        let _held = [Held::wait(Rank::Slot, 1), Held::wait(Rank::Slot, 5)];
        let _ = Held::wait(Rank::Slot, 3);
    }

    #[test]
    fn a_lock_may_be_tried_at_any_time() {
        let (outer, inner) = (Mutex::ranked(Rank::Staging, ()), Mutex::new(()));
        let held = inner.lock();
        let tried = outer.try_lock().expect("nobody has it");
        drop(held);
        drop(inner.lock());
        drop(tried);
        drop(outer.lock());
    }
}
