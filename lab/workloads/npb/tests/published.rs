// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All kernels give the values that NAS publishes, or the known answer, also on several threads.

use clap::ValueEnum;
use ztera_npb::{Class, Kernel, run};

#[test]
fn class_s_is_as_published() {
    for &kernel in Kernel::value_variants() {
        for threads in [1, 3] {
            let result = run(kernel, Class::S, threads);
            assert!(result.right, "{kernel:?} on {threads} threads: {result:?}");
        }
    }
}

#[test]
fn class_w_is_as_published() {
    for kernel in
        [Kernel::Is, Kernel::Cg, Kernel::Mg, Kernel::Ft, Kernel::Bt, Kernel::Sp, Kernel::Lu, Kernel::Ua]
    {
        let result = run(kernel, Class::W, 1);
        assert!(result.right, "{kernel:?}: {result:?}");
    }
}
