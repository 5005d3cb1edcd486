//! A forked child has a copy of all that the range knows, none of its threads, and shares its descriptors.

mod common;

use common::{UNIT, WORDS, Words, engine_threads, open, options, submit, tame};

/// The child's end of a range wrote to the descriptor that tells the threads to stop, which is the parent's too: the parent's
/// next fault was never answered. The child itself waited for ever for threads that it does not have.
#[test]
fn a_child_that_closes_the_range_leaves_the_parents_alone() {
    let Some(range) = open(256 * UNIT, &options(32)) else { return };
    submit(&range, UNIT, 0, 256, tame);
    range.drain();
    let words = Words::of(&range);
    let before = engine_threads().len();
    // SAFETY: the child only drops the range, which must do nothing there, and ends; an alarm ends it otherwise.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: as above.
        unsafe { libc::alarm(20) };
        drop(range);
        // SAFETY: as above.
        unsafe { libc::_exit(7) };
    }
    assert!(child > 0, "{}", std::io::Error::last_os_error());
    let mut status = 0;
    // SAFETY: waits for our own child.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 7, "the child ended by {status:#x}");
    assert_eq!(engine_threads().len(), before, "all threads of the parent are there");
    for round in 0..2 {
        for unit in 0..256 {
            assert_eq!(words.get(unit * WORDS + 3), tame(unit, 3) + round);
            words.set(unit * WORDS + 3, tame(unit, 3) + round + 1);
        }
    }
}
