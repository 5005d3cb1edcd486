// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The queue of a block device and the shares of all CPUs over time, as iostat and mpstat show them.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// One moment while a device was read.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Moment {
    /// Reads that were under way in the device, in the mean; 0 where there is no device.
    pub queue: f64,
    /// Of all CPUs, the share in user space, from 0 to 1.
    pub user: f64,
    /// The share in the kernel.
    pub system: f64,
    /// The share that was idle while a disk was waited for.
    pub wait: f64,
    /// The share that was idle otherwise.
    pub idle: f64,
}

/// Looks at `device`, a name in `/sys/block`, in each `step` of `work`. Without a device it looks at CPUs alone.
pub fn watch<T>(device: Option<&str>, step: Duration, work: impl FnOnce() -> T) -> (T, Vec<Moment>) {
    let (over, stat) = (AtomicBool::new(false), device.map(|name| format!("/sys/block/{name}/stat")));
    thread::scope(|scope| {
        let look = || {
            let mut counts = vec![Counts::now(stat.as_deref())];
            while !over.load(Ordering::Relaxed) {
                thread::sleep(step);
                counts.push(Counts::now(stat.as_deref()));
            }
            counts
        };
        let looking = scope.spawn(look);
        let done = work();
        over.store(true, Ordering::Relaxed);
        let counts = looking.join().expect("looking does not panic");
        (done, moments(&counts, device.is_some()))
    })
}

/// The mean over all moments; none if there are none.
pub fn mean(moments: &[Moment], value: fn(&Moment) -> f64) -> Option<f64> {
    super::samples::mean(&moments.iter().map(value).collect::<Vec<f64>>())
}

/// Between two looks. Times in which the device was not read are left out: programs start and end then.
fn moments(counts: &[Counts], has_device: bool) -> Vec<Moment> {
    let pairs = counts.windows(2).filter(|pair| !has_device || pair[1].reads > pair[0].reads);
    pairs.filter_map(|pair| pair[1].since(&pair[0])).collect()
}

/// Counters of the kernel.
#[derive(Clone, Copy, Debug)]
struct Counts {
    at: Instant,
    reads: u64,
    read_milliseconds: u64,
    cpu: Cpu,
}

/// Ticks of all CPUs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cpu {
    user: u64,
    system: u64,
    wait: u64,
    idle: u64,
}

impl Counts {
    fn now(stat: Option<&str>) -> Counts {
        let text = |file: &str| fs::read_to_string(Path::new(file)).unwrap_or_default();
        let [reads, read_milliseconds] = device(&stat.map(text).unwrap_or_default());
        Counts { at: Instant::now(), reads, read_milliseconds, cpu: Cpu::of(&text("/proc/stat")) }
    }

    /// None where no CPU had a tick.
    fn since(&self, before: &Counts) -> Option<Moment> {
        let (now, then) = (self.cpu, before.cpu);
        // The kernel counts idle CPUs as it looks at them, and may take some ticks back.
        let ticks =
            [(now.user, then.user), (now.system, then.system), (now.wait, then.wait), (now.idle, then.idle)]
                .map(|(now, then)| now.saturating_sub(then));
        let all = ticks.iter().sum::<u64>();
        let [user, system, wait, idle] = ticks.map(|own| own as f64 / all as f64);
        let milliseconds = self.at.duration_since(before.at).as_secs_f64() * 1e3;
        let queue = (self.read_milliseconds - before.read_milliseconds) as f64 / milliseconds;
        (all > 0).then_some(Moment { queue, user, system, wait, idle })
    }
}

/// Reads that were done, and the milliseconds that all of them took, of a device's file `stat`.
fn device(text: &str) -> [u64; 2] {
    let numbers: Vec<u64> = text.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    [0, 3].map(|place| numbers.get(place).copied().unwrap_or(0))
}

impl Cpu {
    /// Of the first line of `/proc/stat`: `cpu user nice system idle iowait irq softirq steal`. A tick that a
    /// hypervisor took is nobody's.
    fn of(text: &str) -> Cpu {
        let line = text.lines().next().unwrap_or_default();
        let ticks: Vec<u64> = line.split_whitespace().skip(1).filter_map(|tick| tick.parse().ok()).collect();
        let of = |places: &[usize]| places.iter().filter_map(|place| ticks.get(*place)).sum();
        Cpu { user: of(&[0, 1]), system: of(&[2, 5, 6]), wait: of(&[4]), idle: of(&[3]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(milliseconds: u64, reads: u64, read_milliseconds: u64, cpu: Cpu) -> Counts {
        let start = Instant::now();
        Counts { at: start + Duration::from_millis(milliseconds), reads, read_milliseconds, cpu }
    }

    #[test]
    fn files_of_the_kernel_are_read() {
        assert_eq!(device("  10  0  80  25  3 0 24 1 0 20 26"), [10, 25]);
        assert_eq!(device(""), [0, 0]);
        let cpu = Cpu::of("cpu  1 2 3 40 5 6 7 8 0 0\ncpu0 1 2 3 4 5\n");
        assert_eq!(cpu, Cpu { user: 3, system: 16, wait: 5, idle: 40 });
    }

    #[test]
    fn a_queue_is_the_time_of_all_reads_by_the_time_that_went_by() {
        let cpu = |system, idle| Cpu { system, idle, ..Cpu::default() };
        let start = counts(0, 5, 0, cpu(0, 0));
        let all = [
            start,
            Counts { at: start.at + Duration::from_millis(10), cpu: cpu(0, 2), ..start },
            Counts {
                at: start.at + Duration::from_millis(20),
                reads: 9,
                read_milliseconds: 40,
                cpu: cpu(3, 3),
            },
        ];
        let found = moments(&all, true);
        assert_eq!(found, [Moment { queue: 4.0, system: 0.75, idle: 0.25, ..Moment::default() }]);
        assert_eq!(moments(&all, false).len(), 2);
        assert_eq!((mean(&found, |it| it.queue), mean(&[], |it| it.queue)), (Some(4.0), None));
    }

    #[test]
    fn work_is_watched_until_it_ends() {
        let work = || thread::sleep(Duration::from_millis(60));
        let ((), found) = watch(None, Duration::from_millis(20), work);
        let whole = |it: &Moment| (it.user + it.system + it.wait + it.idle - 1.0).abs() < 1e-9;
        assert!(!found.is_empty() && found.iter().all(whole), "{found:?}");
        assert!(watch(Some("no-such"), Duration::ZERO, || ()).1.is_empty());
    }
}
