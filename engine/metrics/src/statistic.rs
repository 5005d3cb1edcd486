//! The parts of a definition, and snapshots of the values.

/// The unit of a statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes.
    Bytes,
    /// Pages of 4 KiB, as zram counts.
    Pages,
    /// Units, which are compressed as one.
    Units,
    /// Page faults.
    Faults,
    /// System calls.
    Calls,
    /// Nanoseconds, summed over threads.
    Nanoseconds,
    /// Seconds and fractions of them.
    Seconds,
    /// Regions of the second heap.
    Regions,
    /// Objects of Java.
    Objects,
    /// References between objects.
    References,
    /// Collections of garbage.
    Collections,
}

impl Unit {
    /// Its name in the plural.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytes",
            Self::Pages => "pages",
            Self::Units => "units",
            Self::Faults => "faults",
            Self::Calls => "calls",
            Self::Nanoseconds => "ns",
            Self::Seconds => "s",
            Self::Regions => "regions",
            Self::Objects => "objects",
            Self::References => "references",
            Self::Collections => "collections",
        }
    }
}

/// How a statistic changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It says how much there is now.
    Gauge,
    /// It says how often something happened so far, and never falls.
    Counter,
    /// It says how often something took how long so far.
    Histogram,
}

impl Kind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gauge => "gauge",
            Self::Counter => "counter",
            Self::Histogram => "histogram",
        }
    }
}

/// The definition of a statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistic {
    /// Its name everywhere.
    pub name: &'static str,
    /// Its unit.
    pub unit: Unit,
    /// How it changes.
    pub kind: Kind,
    /// One sentence on its meaning.
    pub meaning: &'static str,
    /// Whether zram has the same under this name.
    pub zram: bool,
}

macro_rules! define {
    ($(#[$about:meta])* $stats:ident, $(#[$of:meta])* $all:ident; $(#[doc = $meaning:literal] $name:ident: $unit:ident $kind:ident $(, $zram:ident)?;)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $stats {
            $(#[doc = $meaning] pub $name: u64,)*
        }

        list! { $(#[$of])* $all; $(#[doc = $meaning] $name: $unit $kind $(, $zram)?;)* }

        impl $stats {
            /// All values, in the order of their definitions.
            pub fn values(&self) -> [u64; $all.len()] {
                [$(self.$name,)*]
            }

            /// Sets the statistic of that name. False if there is none.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

macro_rules! define_engine {
    ($($list:tt)*) => {
        define! {
            /// A snapshot of all statistics. Those that a part of the engine does not know are 0.
            Stats,
            /// All definitions, in the order of `zt_stats`.
            ALL; $($list)*
        }
    };
}

macro_rules! define_offload {
    ($($list:tt)*) => {
        define! {
            /// A snapshot of what came of units that an accelerator could have compressed.
            Offload,
            /// Their definitions.
            OFFLOAD; $($list)*
        }
    };
}

for_each_statistic!(define_engine);
for_each_offload_statistic!(define_offload);
