// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A seccomp profile without userfaultfd, as containers have it.

use std::io;

/// The request by which /dev/userfaultfd gives out a descriptor: `USERFAULTFD_IOC_NEW` of linux/userfaultfd.h.
const NEW: u32 = 0xaa00;
/// Where the kernel's `seccomp_data` has the number of the call, and the low word of its second argument.
const NUMBER: u32 = 0;
const SECOND: u32 = 24;

const fn load(at: u32) -> libc::sock_filter {
    libc::sock_filter { code: (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16, jt: 0, jf: 0, k: at }
}

/// Skips so many statements unless what was loaded is `value`.
const fn unless(value: u32, skip: u8) -> libc::sock_filter {
    libc::sock_filter {
        code: (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16,
        jt: 0,
        jf: skip,
        k: value,
    }
}

const fn answer(action: u32) -> libc::sock_filter {
    libc::sock_filter { code: (libc::BPF_RET | libc::BPF_K) as u16, jt: 0, jf: 0, k: action }
}

/// From now on this process gets `error` for userfaultfd, and for its device if that is `closed`. Allocates nothing.
pub fn refuse(error: i32, closed: bool) -> io::Result<()> {
    let refused = libc::SECCOMP_RET_ERRNO | error as u32;
    let mut filter = [
        load(NUMBER),
        unless(libc::SYS_userfaultfd as u32, 1),
        answer(refused),
        unless(libc::SYS_ioctl as u32, 3),
        load(SECOND),
        unless(NEW, 1),
        answer(if closed { refused } else { libc::SECCOMP_RET_ALLOW }),
        answer(libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_mut_ptr() };
    // SAFETY: plain system calls; the kernel copies the filter.
    let result = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
            | libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program)
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
