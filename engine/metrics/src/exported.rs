//! Names for Prometheus, by its conventions: base units, which end the name, and `_total` for counters.

use crate::device::DEVICE;
use crate::faults::FAULTS;
use crate::heap::{COLLECTOR, HEAP, LABEL, MEMORY};
use crate::statistic::{ALL, Kind, OFFLOAD, Statistic, Unit};

/// Statistics of one kind of thing.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// How their names for Prometheus begin.
    pub prefix: &'static str,
    /// Their subject, and where JSON has them.
    pub title: &'static str,
    /// The statistics themselves.
    pub statistics: &'static [Statistic],
}

/// The second heap of a JVM.
pub const OF_HEAP: Group = Group { prefix: "ztera_h2", title: "the second heap", statistics: HEAP };
/// The engine below it.
pub const OF_ENGINE: Group = Group { prefix: "ztera_h2", title: "the engine", statistics: ALL };
/// The faults of each tier below a second heap.
pub const OF_FAULTS: Group = Group { prefix: "ztera_h2", title: "faults, by tier", statistics: FAULTS };
/// The parts of the memory limit of a JVM.
pub const OF_MEMORY: Group =
    Group { prefix: "ztera_h2_memory", title: "the memory limit", statistics: MEMORY };
/// Each label of a second heap.
pub const OF_LABEL: Group = Group { prefix: "ztera_h2_label", title: "a label", statistics: LABEL };
/// Each kind of collection of a JVM.
pub const OF_COLLECTOR: Group = Group { prefix: "ztera_gc", title: "collections", statistics: COLLECTOR };
/// A block device.
pub const OF_DEVICE: Group = Group { prefix: "ztera_disk", title: "a block device", statistics: DEVICE };
/// The accelerator that it uses.
pub const OF_OFFLOAD: Group =
    Group { prefix: "ztera_disk_accelerator", title: "an accelerator", statistics: OFFLOAD };

/// All of them.
pub const GROUPS: [Group; 8] =
    [OF_ENGINE, OF_FAULTS, OF_HEAP, OF_MEMORY, OF_LABEL, OF_COLLECTOR, OF_DEVICE, OF_OFFLOAD];

impl Group {
    /// The whole name of one of these for Prometheus.
    pub fn exported(&self, statistic: &Statistic) -> String {
        format!("{}_{}", self.prefix, statistic.exported())
    }
}

impl Statistic {
    /// Its name for Prometheus, without the beginning that says what it is of.
    pub fn exported(&self) -> String {
        let unit = self.base_unit().map(|unit| format!("_{unit}")).unwrap_or_default();
        let total = if self.kind == Kind::Counter { "_total" } else { "" };
        format!("{}{unit}{total}", self.stem())
    }

    /// The same without its unit and `_total`.
    pub fn stem(&self) -> String {
        let unit = self.unit.name();
        match self.name.strip_suffix("_count") {
            Some(stem) if stem.ends_with(unit.trim_end_matches('s')) => format!("{stem}s"),
            Some(stem) => format!("{stem}_{unit}"),
            None => {
                let ends = ["_bytes", "_seconds", "_ns", "_size", "_total"];
                ends.iter().find_map(|end| self.name.strip_suffix(end)).unwrap_or(self.name).to_owned()
            }
        }
    }

    /// The unit that its name for Prometheus has; none for what is merely counted.
    pub fn base_unit(&self) -> Option<&'static str> {
        match self.unit {
            Unit::Bytes => Some("bytes"),
            Unit::Nanoseconds | Unit::Seconds => Some("seconds"),
            _ => None,
        }
    }

    /// A value of it, in the unit of [`Statistic::base_unit`].
    pub fn in_base_unit(&self, value: f64) -> f64 {
        if self.unit == Unit::Nanoseconds { value / 1e9 } else { value }
    }
}
