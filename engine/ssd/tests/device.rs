//! A block device as the medium: one of zram's, made and removed here. Needs root.

use std::fs;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ztera_fail::{Failure, Scenario};
use ztera_ssd::{Config, Patience, Place, Purpose, Reach, Tier};

const MIB: u64 = 1 << 20;

/// A zram device of 32 MiB, which goes when this is dropped.
struct Device {
    number: String,
}

impl Device {
    fn make() -> std::io::Result<Self> {
        let number = fs::read_to_string("/sys/class/zram-control/hot_add")?.trim().to_owned();
        let device = Self { number };
        fs::write(device.attribute("disksize"), "32M")?;
        Ok(device)
    }

    fn attribute(&self, name: &str) -> PathBuf {
        Path::new("/sys/block").join(format!("zram{}", self.number)).join(name)
    }

    fn path(&self) -> PathBuf {
        PathBuf::from(format!("/dev/zram{}", self.number))
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        let reset = fs::write(self.attribute("reset"), "1");
        let removed = fs::write("/sys/class/zram-control/hot_remove", &self.number);
        if !std::thread::panicking() {
            reset.and(removed).expect("the device is nobody's any more");
        }
    }
}

/// Past the test harness, which swallows what passing tests print.
fn device() -> Option<Device> {
    let device = Device::make();
    device
        .inspect_err(|error| {
            let _ = writeln!(std::io::stderr(), "SKIPPED, not tested: no zram device can be made: {error}");
        })
        .ok()
}

fn write(tier: &Tier, keys: Range<u32>) -> Vec<Place> {
    let mut batch = tier.batch();
    // With its header, and what proves it, each fills a block.
    assert!(keys.clone().all(|key| batch.push(key, &[key as u8; 4064])));
    tier.write(&mut batch, Purpose::Write).expect("it has room")
}

#[test]
fn what_another_process_wrote_is_no_record() {
    let scenario = Scenario::begin();
    let Some(device) = device() else { return };
    let config = Config { limit: Some(8 * MIB), ..Config::new(device.path()) };
    let tier = Tier::open(&config).expect("it is ours");
    // All of the first segment.
    (0..16).for_each(|batch| drop(write(&tier, batch * 16..(batch + 1) * 16)));
    // It was killed, so the device has it all.
    scenario.fail("ssd.hole", Failure::Errno(0));
    drop(tier);
    let tier = Tier::open(&config).expect("it is ours again");
    // The same segment in the same life, but not all of it; and so many that it is closed.
    let mut places = Vec::new();
    (0..20).for_each(|batch| places.extend(write(&tier, 1000 + batch * 60..1000 + (batch + 1) * 60)));
    places[10..].iter().for_each(|place| tier.free(*place));
    let mut keys = Vec::new();
    let sparse = tier.sparsest().expect("ten records are left of the first segment");
    tier.each_record(sparse, |key, _, _| keys.push(key)).expect("readable");
    assert_eq!(keys, (1000..1240).collect::<Vec<_>>());
}

#[test]
fn a_block_device_holds_records_and_is_nobody_elses() {
    let _no_failure = Scenario::begin();
    let Some(device) = device() else { return };
    let config = Config::new(device.path());
    let tier = Tier::open(&config).expect("it is ours");
    assert_eq!(tier.stats().bd_limit, 32 * MIB);
    assert!(Tier::open(&config).is_err(), "it is in use");
    let contents = |key: u32| vec![key as u8; 3000 + key as usize];
    let mut places = Vec::new();
    for first in (0..4000).step_by(25) {
        let mut batch = tier.batch();
        assert!((first..first + 25).all(|key| batch.push(key, &contents(key))));
        places.extend(tier.write(&mut batch, Purpose::Write).expect("it has room"));
    }
    let mut buffer = Tier::read_buffer(64 << 10);
    for (key, place) in (0..).zip(&places) {
        assert!(
            tier.read(*place, key, &mut buffer, Reach::Around, Patience::Some).expect("readable")
                == contents(key)
        );
    }
    places.into_iter().for_each(|place| tier.free(place));
    tier.make_holes();
    assert_eq!((tier.stats().bd_used, tier.stats().bd_errors), (0, 0));
    drop(tier);
    let small = Config { limit: Some(64 * MIB), ..Config::new(device.path()) };
    assert_eq!(Tier::open(&small).expect("it is ours again").stats().bd_limit, 32 * MIB, "it has no more");
}

/// Of 9,600 blocks that a program had held, 858 stayed on a device when the program had ended, for anybody to read.
#[test]
fn nothing_that_was_held_can_be_read_from_the_device() {
    let _no_failure = Scenario::begin();
    let Some(device) = device() else { return };
    let secret = b"nobody else may read this at any time. ".repeat(100);
    // A record starts at a multiple of 64 bytes, with 16 of its own.
    let holds_secret = || {
        let all = fs::read(device.path()).expect("root can read it");
        let is_secret = |record: &[u8]| record[16..48] == secret[..32];
        (all.chunks(64).any(is_secret), all.chunks(4096).any(|block| block != [0; 4096]))
    };
    let tier = Tier::open(&Config::new(device.path())).expect("it is ours");
    for key in 0..400 {
        let mut batch = tier.batch();
        assert!(batch.push(key, &secret));
        tier.write(&mut batch, Purpose::Write).expect("it has room");
    }
    assert_eq!(holds_secret(), (false, true), "a process that is killed leaves what nobody can decrypt");
    drop(tier);
    assert_eq!(holds_secret(), (false, false), "a process that ends leaves nothing");
}
