// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The areas that a process's memory is told apart in.

/// An area, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Area {
    /// The young generation.
    Young,
    /// The old generation.
    Old,
    /// A Java heap whose generations have no fixed places.
    Heap,
    /// The second heap's uncompressed pages.
    H2,
    /// Memory of the tier below H2: compressed pages, staging, tables.
    H2Pool,
    /// The JVM's knowledge of classes, except for `ClassSpace`.
    Metaspace,
    /// The part of it that compressed class pointers point to.
    ClassSpace,
    /// Compiled code.
    CodeCache,
    /// The archive of classes.
    Cds,
    /// Stacks of all threads.
    Stacks,
    /// Card tables, bitmaps and the like.
    Gc,
    /// The C heap.
    Malloc,
    /// The JVM itself.
    Libjvm,
    /// Programs and other libraries.
    Libraries,
    /// Jars and the JDK's modules.
    Jars,
    /// Other files.
    Files,
    /// Memory that processes share, without a file.
    Shared,
    /// Addresses that are only reserved.
    Reserved,
    /// Pages of the kernel.
    Kernel,
    /// Private memory that nothing is known about.
    Other,
}

impl Area {
    /// Its name in tables and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Area::Young => "young",
            Area::Old => "old",
            Area::Heap => "heap",
            Area::H2 => "H2",
            Area::H2Pool => "H2 pool",
            Area::Metaspace => "metaspace",
            Area::ClassSpace => "class space",
            Area::CodeCache => "code cache",
            Area::Cds => "CDS",
            Area::Stacks => "thread stacks",
            Area::Gc => "GC",
            Area::Malloc => "malloc",
            Area::Libjvm => "libjvm",
            Area::Libraries => "libraries",
            Area::Jars => "jars",
            Area::Files => "other files",
            Area::Shared => "shared memory",
            Area::Reserved => "reserved",
            Area::Kernel => "kernel",
            Area::Other => "other",
        }
    }
}
