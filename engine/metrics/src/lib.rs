//! Every statistic of the engine, defined once: name, unit, kind and meaning. All that shows statistics is made from this, or
//! checked against it: `zt_stats` in `ztera.h`, the VM's table of them, `ztera stat`, `ztera export` and
//! `docs/statistics.md`.

#![forbid(unsafe_code)]

/// Defines statistics of which nobody in the engine keeps the values.
macro_rules! list {
    ($(#[$of:meta])* $all:ident; $(#[doc = $meaning:literal] $name:ident: $unit:ident $kind:ident $(, $zram:ident)?;)*) => {
        $(#[$of])*
        pub const $all: &[$crate::Statistic] = &[$($crate::Statistic {
            name: stringify!($name),
            unit: $crate::Unit::$unit,
            kind: $crate::Kind::$kind,
            meaning: $meaning.trim_ascii(),
            zram: <[&str]>::len(&[$(stringify!($zram))?]) == 1,
        },)*];
    };
}

#[macro_use]
mod definitions;
mod device;
mod exported;
pub mod faults;
mod heap;
mod histogram;
mod statistic;

pub use device::DEVICE;
pub use exported::{
    GROUPS, Group, OF_COLLECTOR, OF_DEVICE, OF_ENGINE, OF_FAULTS, OF_HEAP, OF_LABEL, OF_MEMORY, OF_OFFLOAD,
};
pub use faults::{FAULTS, Tier};
pub use heap::{COLLECTOR, HEAP, LABEL, MEMORY};
pub use histogram::{BUCKETS, Histogram, bucket_of, least_of};
pub use statistic::{ALL, Kind, OFFLOAD, Offload, Statistic, Stats, Unit};
