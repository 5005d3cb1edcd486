// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The programs that are run. The programs are those of `org.ztera.demo.off.Workload`.

use clap::ValueEnum;

/// A program, by the name that the Java side knows too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Workload {
    /// Small objects that die at once
    Allocation,
    /// References stored into fields and arrays of old objects: the write barrier
    ReferenceStores,
    /// System.arraycopy and copies of arrays of references
    ArrayCopies,
    /// A window of entries moves over a hash map and a tree, and is promoted on its way
    Maps,
    /// Full collections of a graph of two million objects
    FullCollections,
    /// Regular expressions and string building over source text
    Text,
    /// javac, within the JVM, compiles packages of java.base
    Javac,
    /// Sorting by comparators, and streams
    Sorting,
    /// SHA-256, SHA-3, AES-GCM and CRC
    Digests,
    /// gzip, there and back
    Compression,
    /// Two threads on a concurrent map, and compare-and-set of references
    Threads,
}

impl Workload {
    /// In the order in which they run.
    pub const ALL: [Workload; 11] = [
        Workload::Allocation,
        Workload::ReferenceStores,
        Workload::ArrayCopies,
        Workload::Maps,
        Workload::FullCollections,
        Workload::Text,
        Workload::Javac,
        Workload::Sorting,
        Workload::Digests,
        Workload::Compression,
        Workload::Threads,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn none_is_forgotten() {
        assert_eq!(Workload::ALL, Workload::value_variants());
    }
}
