// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The JVM flags of the heap and the second heap.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::units::flag_mib;

/// The backing of the pages of H2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Backing {
    /// DRAM, compressed DRAM, and with --path an SSD.
    Tier,
    /// One mapped file in the directory given by --path: the baseline that the tier is measured against.
    File,
}

/// Their codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Codec {
    /// Fast, about 2.5 times smaller.
    Lz4,
    /// Slower to store, about 4 times smaller.
    Zstd,
}

/// The collector of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collector {
    /// The one that has a second heap.
    Parallel,
    /// The JVM's own choice on a large machine.
    G1,
}

/// The heap as its flags describe it. The JVM chooses for None.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapFlags {
    /// Its collector.
    pub collector: Option<Collector>,
    /// Its size at first, in bytes.
    pub min: Option<u64>,
    /// Its size at most, in bytes.
    pub max: Option<u64>,
    /// Of it, bytes of the young generation.
    pub young: Option<u64>,
    /// Whether spaces keep their sizes, whatever the collector measures.
    pub is_fixed: bool,
}

impl HeapFlags {
    /// Parallel GC, and nothing else.
    pub fn parallel() -> HeapFlags {
        HeapFlags { collector: Some(Collector::Parallel), ..HeapFlags::default() }
    }

    /// The same with a size from the start to the end, and a young generation of that size.
    pub fn of_size(bytes: u64, young: u64) -> HeapFlags {
        HeapFlags { min: Some(bytes), max: Some(bytes), young: Some(young), ..HeapFlags::parallel() }
    }

    /// As the JVM takes them. Sizes are rounded down to whole MiB.
    pub fn arguments(&self) -> Vec<String> {
        let collector = self.collector.map(|collector| match collector {
            Collector::Parallel => "-XX:+UseParallelGC".to_owned(),
            Collector::G1 => "-XX:+UseG1GC".to_owned(),
        });
        let fixed = self.is_fixed.then(|| "-XX:-UseAdaptiveSizePolicy".to_owned());
        let size = |name: &str, bytes: Option<u64>| bytes.map(|bytes| format!("-{name}{}", flag_mib(bytes)));
        let sizes = [size("Xms", self.min), size("Xmx", self.max), size("Xmn", self.young)];
        [collector, fixed].into_iter().chain(sizes).flatten().collect()
    }
}

/// The second heap as its flags describe it. The JVM chooses for None.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct H2Flags {
    /// Capacity in bytes.
    pub size: u64,
    /// DRAM for uncompressed pages, in bytes.
    pub resident: Option<u64>,
    /// DRAM for compressed pages, in bytes.
    pub pool: Option<u64>,
    /// The backing of the pages.
    pub backing: Option<Backing>,
    /// Directory of the file, or of the SSD tier's file.
    pub path: Option<PathBuf>,
    /// Their codec.
    pub codec: Option<Codec>,
    /// Bytes compressed as one.
    pub unit: Option<u64>,
    /// Bytes that die as one.
    pub region: Option<u64>,
}

impl H2Flags {
    /// As the JVM takes them. Sizes are rounded down to whole MiB, a unit and a region are exact.
    pub fn arguments(&self) -> Vec<String> {
        let mib = |name: &str, value: Option<u64>| value.map(|v| format!("-XX:{name}={}", flag_mib(v)));
        let exact = |name: &str, value: Option<u64>| value.map(|v| format!("-XX:{name}={v}"));
        let word = |name: &str, value: Option<String>| value.map(|v| format!("-XX:{name}={v}"));
        [
            mib("H2Size", Some(self.size)),
            mib("H2ResidentSize", self.resident),
            mib("H2PoolSize", self.pool),
            word("H2Backing", self.backing.as_ref().map(value_name)),
            word("H2Path", self.path.as_ref().map(|path| path.display().to_string())),
            word("H2Codec", self.codec.as_ref().map(value_name)),
            exact("H2UnitSize", self.unit),
            exact("H2RegionSize", self.region),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// The name of a value on the command line and in the JVM.
pub fn value_name<T: ValueEnum>(value: &T) -> String {
    value.to_possible_value().map(|v| v.get_name().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::MIB;

    #[test]
    fn only_what_is_given_becomes_a_flag() {
        let flags = H2Flags { size: 3 * MIB + 5, ..H2Flags::default() };
        assert_eq!(flags.arguments(), ["-XX:H2Size=3m"]);
    }

    #[test]
    fn a_heap_has_what_is_given() {
        assert_eq!(HeapFlags::default().arguments(), [""; 0]);
        let flags = HeapFlags { is_fixed: true, ..HeapFlags::of_size(64 * MIB + 7, 8 * MIB) };
        let expected = "-XX:+UseParallelGC -XX:-UseAdaptiveSizePolicy -Xms64m -Xmx64m -Xmn8m";
        assert_eq!(flags.arguments().join(" "), expected);
        let flags = HeapFlags { collector: Some(Collector::G1), max: Some(MIB), ..HeapFlags::default() };
        assert_eq!(flags.arguments(), ["-XX:+UseG1GC", "-Xmx1m"]);
    }

    #[test]
    fn all_flags_have_their_fixed_names() {
        let flags = H2Flags {
            size: 4096 * MIB,
            resident: Some(64 * MIB),
            pool: Some(512 * MIB),
            backing: Some(Backing::File),
            path: Some("/mnt/h2".into()),
            codec: Some(Codec::Zstd),
            unit: Some(16384),
            region: Some(1 << 20),
        };
        let expected = "-XX:H2Size=4096m -XX:H2ResidentSize=64m -XX:H2PoolSize=512m -XX:H2Backing=file \
                        -XX:H2Path=/mnt/h2 -XX:H2Codec=zstd -XX:H2UnitSize=16384 -XX:H2RegionSize=1048576";
        assert_eq!(flags.arguments().join(" "), expected);
    }
}
