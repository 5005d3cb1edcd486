//! The choice between an accelerator and the CPU for each unit. Pure decisions over numbers; `engine/accel` carries them
//! out.

use std::time::Duration;

/// The state of device and CPUs when a unit is to be compressed. Times are those of one unit, in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Bytes of the unit.
    pub len: u64,
    /// Units of fewer bytes stay on the CPU.
    pub least: u64,
    /// Whether the device works.
    pub is_up: bool,
    /// Units that the device has.
    pub in_flight: u32,
    /// Most that its rings have room for.
    pub most: u32,
    /// Units that it works on at a time.
    pub instances: u32,
    /// How long it takes for one.
    pub device_ns: u64,
    /// Units that CPUs are compressing now.
    pub on_cpu: u32,
    /// CPUs that may.
    pub cpus: u32,
    /// How long one takes.
    pub cpu_ns: u64,
    /// Whether CPUs take units that they have much sooner.
    pub balances: bool,
}

/// Where a unit is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// By the device.
    Device,
    /// By the CPU, and why.
    Cpu(Reason),
}

/// Why the device is not asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The unit is small: handing it over would cost as much as is saved.
    Small,
    /// The device does not work now.
    Down,
    /// Its rings are full.
    Full,
    /// Its queue is so long that CPUs are much quicker.
    Busy,
}

/// The device saves the CPU's time, so it may take so many times longer.
const PATIENCE: u64 = 4;

/// Where to compress a unit.
pub fn place(load: Load) -> Place {
    if load.len < load.least {
        return Place::Cpu(Reason::Small);
    }
    if !load.is_up {
        return Place::Cpu(Reason::Down);
    }
    if load.in_flight >= load.most {
        return Place::Cpu(Reason::Full);
    }
    let device = wait(load.device_ns, load.in_flight, load.instances);
    let cpu = wait(load.cpu_ns, load.on_cpu, load.cpus);
    // Before both were measured, nothing speaks against the device.
    let is_known = load.balances && load.device_ns > 0 && load.cpu_ns > 0;
    if is_known && device > cpu.saturating_mul(PATIENCE) { Place::Cpu(Reason::Busy) } else { Place::Device }
}

/// How long one more takes, with `before` it in a queue that `servers` serve.
fn wait(each: u64, before: u32, servers: u32) -> u64 {
    each.saturating_mul(u64::from(before / servers.max(1)) + 1)
}

/// The device's time, once a unit stayed on the CPU for it. Only answers tell how long a device takes, so one that was
/// slow for a moment must be tried again: with each unit that it does not get, a part of its time is forgotten.
pub fn after_busy(device_ns: u64) -> u64 {
    device_ns - device_ns / FORGOTTEN
}

/// A device that stays slow gets one unit of twenty or so.
const FORGOTTEN: u64 = 256;

/// How a device did of late. The default: well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Bad answers one after the other.
    strikes: u32,
    /// Resets since the last good answer.
    resets: u32,
}

/// Bad answers one after the other for which a device is reset.
const STRIKES: u32 = 4;

/// How long a device is left alone after its first reset, and how often that doubles.
const PAUSE: Duration = Duration::from_millis(10);
const DOUBLINGS: u32 = 10;

impl Health {
    /// The device gave a good answer.
    pub fn good(self) -> Self {
        Self::default()
    }

    /// It gave a bad one, or none in time. If it is to be reset: for how long it is left alone then.
    pub fn bad(self) -> (Self, Option<Duration>) {
        let strikes = self.strikes + 1;
        if strikes < STRIKES { (Self { strikes, ..self }, None) } else { self.lost() }
    }

    /// It has to be reset in any case. Afterwards the first bad answer is one too many.
    pub fn lost(self) -> (Self, Option<Duration>) {
        let pause = PAUSE * (1 << self.resets.min(DOUBLINGS));
        (Self { strikes: STRIKES - 1, resets: self.resets.saturating_add(1) }, Some(pause))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: Load = Load {
        len: 16384,
        least: 4096,
        is_up: true,
        in_flight: 0,
        most: 64,
        instances: 18,
        device_ns: 60_000,
        on_cpu: 0,
        cpus: 2,
        cpu_ns: 200_000,
        balances: true,
    };

    #[test]
    fn the_device_has_it_unless_something_speaks_against_it() {
        let cases = [
            (BASE, Place::Device),
            (Load { in_flight: 63, ..BASE }, Place::Device),
            (Load { len: 4095, ..BASE }, Place::Cpu(Reason::Small)),
            (Load { is_up: false, ..BASE }, Place::Cpu(Reason::Down)),
            (Load { in_flight: 64, ..BASE }, Place::Cpu(Reason::Full)),
            (Load { device_ns: 810_000, ..BASE }, Place::Cpu(Reason::Busy)),
            (Load { device_ns: 810_000, on_cpu: 2, ..BASE }, Place::Device),
            (Load { instances: 1, in_flight: 13, ..BASE }, Place::Cpu(Reason::Busy)),
            (Load { instances: 1, in_flight: 12, ..BASE }, Place::Device),
            (Load { device_ns: u64::MAX, cpu_ns: 0, ..BASE }, Place::Device),
            (Load { device_ns: u64::MAX, balances: false, ..BASE }, Place::Device),
        ];
        for (load, wanted) in cases {
            assert_eq!(place(load), wanted, "{load:?}");
        }
    }

    /// A moment of slow answers once kept a device from ever being asked again.
    #[test]
    fn a_device_that_was_slow_is_tried_again() {
        let mut load = Load { device_ns: 100 * BASE.device_ns, ..BASE };
        let refused = |load: &Load| place(*load) == Place::Cpu(Reason::Busy);
        let units = (0..100_000).take_while(|_| {
            let is_refused = refused(&load);
            load.device_ns = after_busy(load.device_ns);
            is_refused
        });
        let units = units.count();
        assert!((100..2000).contains(&units), "{units}");
    }

    #[test]
    fn a_device_is_reset_after_some_bad_answers_in_a_row() {
        let mut health = Health::default();
        for _ in 0..3 {
            let (next, reset) = health.bad();
            assert_eq!(reset, None);
            health = next;
        }
        assert_eq!(health.good().bad().1, None, "a good answer between them counts");
        let (after, reset) = health.bad();
        assert_eq!(reset, Some(PAUSE));
        let (again, reset) = after.bad();
        assert_eq!(reset, Some(2 * PAUSE), "once more, and at once");
        assert_eq!(again.good(), Health::default());
    }

    #[test]
    fn the_pauses_grow_and_not_for_ever() {
        let mut health = Health::default();
        let mut pauses = Vec::new();
        for _ in 0..40 {
            let (next, pause) = health.lost();
            pauses.extend(pause);
            health = next;
        }
        assert!(pauses.is_sorted() && pauses.len() == 40);
        assert_eq!(pauses.last(), Some(&(PAUSE * 1024)));
    }
}
