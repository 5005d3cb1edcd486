// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Where the threads of a process have their stacks.

use std::fs;

use super::file_of;

/// The stack pointers of all threads that wait in the kernel. A thread that runs at the moment has none to show.
pub fn pointers(pid: u32) -> Vec<u64> {
    let threads = fs::read_dir(file_of(pid, "task")).into_iter().flatten().flatten();
    let waiting = threads.filter_map(|thread| fs::read_to_string(thread.path().join("syscall")).ok());
    waiting.filter_map(|text| pointer(&text)).collect()
}

/// The last but one word of `202 0x1 .. 0x7ffc 0x7fd4`; `running` has none.
fn pointer(syscall: &str) -> Option<u64> {
    let mut words = syscall.split_whitespace().rev();
    u64::from_str_radix(words.nth(1)?.strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stack_pointer_is_the_last_but_one() {
        assert_eq!(pointer("202 0x7f 0x89 0x0 0x7ffc9e80 0x7fd4\n"), Some(0x7ffc_9e80));
        assert_eq!(pointer("-1 0x7ffc 0x7fd4\n"), Some(0x7ffc));
        assert_eq!(pointer("running\n"), None);
    }
}
