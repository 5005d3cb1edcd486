// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The nine codes of the NAS Parallel Benchmarks. Values that NAS publishes verify eight of them.
//!
//! The kernels are written from the report "The NAS Parallel Benchmarks", RNR-94-007, March 1994. Sizes and values of
//! the classes S, W and C, which the report does not have, are those that later versions of the benchmarks print. No
//! source of NAS is in here, so times are not comparable with those of the original codes; ratios are the point.
//! `ua` has a report of its own, NAS-04-006; it differs from that, and a known answer verifies it: see `ua.rs`.
//!
//! | Kernel | Work | Memory of class A, B, C |
//! |---|---|---|
//! | `ep` | Gaussian pairs | 2 MiB |
//! | `is` | ranks of integers by counting | 66, 264, 1,056 MiB |
//! | `cg` | conjugate gradient, sparse rows | 60, 420, 1,100 MiB |
//! | `mg` | V-cycles on nested grids | 440, 440, 3,400 MiB |
//! | `ft` | three-dimensional FFT | 256, 1,024, 4,096 MiB |
//! | `bt` | a flow, by blocks along lines | 40, 162, 649 MiB |
//! | `sp` | a flow, by waves along lines | 40, 162, 649 MiB |
//! | `lu` | a flow, by over-relaxation | 30, 121, 487 MiB |
//! | `ua` | heat, on a mesh that follows it | 64, 192, 452 MiB |

mod bt;
mod cg;
mod command;
mod ep;
mod flow;
mod ft;
mod is;
mod lu;
mod mg;
mod random;
mod sp;
mod team;
mod ua;

pub use command::Args;

use clap::ValueEnum;
use team::Team;

/// A problem of the benchmarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kernel {
    /// Embarrassingly parallel.
    Ep,
    /// Integer sort.
    Is,
    /// Conjugate gradient.
    Cg,
    /// Multigrid.
    Mg,
    /// Fourier transform.
    Ft,
    /// Block tridiagonal.
    Bt,
    /// Scalar pentadiagonal.
    Sp,
    /// Lower and upper.
    Lu,
    /// Unstructured, adaptive.
    Ua,
}

/// A size of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "upper")]
pub enum Class {
    /// Sample.
    S,
    /// Workstation, of 1991.
    W,
    /// The smallest standard size.
    A,
    /// Four times that, about.
    B,
    /// And again.
    C,
}

/// The result of a kernel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verified {
    /// The first of the numbers that are verified.
    pub value: f64,
    /// Whether all of them are as published, or as known for `ua`.
    pub right: bool,
}

/// Runs a kernel on so many threads.
pub fn run(kernel: Kernel, class: Class, threads: usize) -> Verified {
    let run = match kernel {
        Kernel::Ep => ep::run,
        Kernel::Is => is::run,
        Kernel::Cg => cg::run,
        Kernel::Mg => mg::run,
        Kernel::Ft => ft::run,
        Kernel::Bt => bt::run,
        Kernel::Sp => sp::run,
        Kernel::Lu => lu::run,
        Kernel::Ua => ua::run,
    };
    run(class, Team(threads))
}

/// Whether a number is as expected, but for a relative error.
fn close(number: f64, expected: f64, error: f64) -> bool {
    ((number - expected) / expected).abs() <= error
}
