// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A device always holds the bytes of a plain array that got the same requests.

mod common;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use common::{KIB, MIB, bytes, config, service, text, with_ssd};
use proptest::prelude::*;
use ztera_disk::{Age, Codecs, Config, Denser, Error, Extent, Recompress, Request, Service, WriteBack};

const SIZE: usize = 3 * MIB + 512;

#[derive(Clone, Debug)]
enum Step {
    Write { offset: usize, len: usize, seed: u64, random: usize },
    Zero { offset: usize, len: usize },
    Discard { offset: usize, len: usize },
    Read { offset: usize, len: usize },
    Compact,
    Idle,
    Recompress,
    WriteBack,
}

/// Anywhere, also beyond the end, and of any length: bytes, sectors, units and many of them.
fn place() -> impl Strategy<Value = (usize, usize)> {
    let sector = 0..SIZE / 512;
    prop_oneof![
        4 => (sector.clone(), 0..600_usize).prop_map(|(at, len)| (at * 512, len * 512)),
        2 => (0..SIZE, 0..5000_usize),
        2 => (0..48_usize, 1..40_usize).prop_map(|(at, len)| (at * 64 * KIB, len * 16 * KIB)),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (place(), any::<u64>(), 0..9_usize)
            .prop_map(|((offset, len), seed, random)| Step::Write { offset, len, seed, random }),
        2 => place().prop_map(|(offset, len)| Step::Zero { offset, len }),
        2 => place().prop_map(|(offset, len)| Step::Discard { offset, len }),
        4 => place().prop_map(|(offset, len)| Step::Read { offset, len }),
        1 => Just(Step::Compact),
        1 => Just(Step::Idle),
        1 => Just(Step::Recompress),
        1 => Just(Step::WriteBack),
    ]
}

/// The device, and what it has to say.
struct Model {
    service: Arc<Service>,
    unit: usize,
    wanted: Vec<u8>,
}

impl Model {
    fn read(&self, offset: usize, len: usize) -> Result<Vec<u8>, Error> {
        let extent = Extent { offset: offset as u64, len: len as u64 };
        self.service.call(Request::Read(extent)).map(|pieces| pieces.concat())
    }

    fn take(&mut self, step: &Step) {
        let device = self.service.device().clone();
        match *step {
            Step::Write { offset, len, seed, random } => self.write(offset, &bytes(seed, len, random)),
            Step::Zero { offset, len } => self.zero(offset, len),
            Step::Discard { offset, len } => self.discard(offset, len),
            Step::Read { offset, len } => match self.wanted.get(offset..offset + len) {
                Some(wanted) => assert!(self.read(offset, len).as_deref() == Ok(wanted), "{offset} {len}"),
                None => assert!(device.extent(offset as u64, len as u64) == Err(Error::OutOfRange)),
            },
            Step::Compact => drop(device.compact()),
            Step::Idle => device.mark_idle(Duration::ZERO),
            Step::Recompress => {
                let codecs = Codecs::Named("deflate:1".to_owned());
                let which = Recompress { age: Age::Idle, codecs, threshold: 100, ..Recompress::default() };
                let sum = device.recompress(&which).expect("there is such a codec");
                assert!(sum.to <= sum.from);
            }
            Step::WriteBack => drop(device.write_back(&WriteBack { age: Age::Idle, ..WriteBack::default() })),
        }
    }

    fn write(&mut self, offset: usize, new: &[u8]) {
        let request = Request::Write(offset as u64, Bytes::copy_from_slice(new));
        let end = offset + new.len();
        if end > self.wanted.len() {
            return;
        }
        match self.service.call(request) {
            Ok(_) => self.wanted[offset..end].copy_from_slice(new),
            Err(error) => {
                assert_eq!(error, Error::NoSpace);
                self.some_of(offset, new);
            }
        }
    }

    /// Of each unit that the write is about, all was written or nothing.
    fn some_of(&mut self, offset: usize, new: &[u8]) {
        let end = offset + new.len();
        for start in (offset / self.unit * self.unit..end).step_by(self.unit) {
            let (from, to) = (start.max(offset), (start + self.unit).min(end));
            let is = self.read(from, to - from).expect("what was there is still there");
            assert!(
                is == self.wanted[from..to] || is == new[from - offset..to - offset],
                "{from}..{to} is neither old nor new"
            );
            self.wanted[from..to].copy_from_slice(&is);
        }
    }

    fn zero(&mut self, offset: usize, len: usize) {
        let Some(extent) = Extent::within(SIZE as u64, offset as u64, len as u64) else { return };
        match self.service.call(Request::WriteZeroes(extent)) {
            Ok(_) => self.wanted[offset..offset + len].fill(0),
            Err(error) => {
                assert_eq!(error, Error::NoSpace);
                self.some_of(offset, &vec![0; len]);
            }
        }
    }

    /// Whole units, the last one being as long as the device leaves it, are zeros then; others are as they were.
    fn discard(&mut self, offset: usize, len: usize) {
        let Some(extent) = Extent::within(SIZE as u64, offset as u64, len as u64) else { return };
        self.service.call(Request::Discard(extent)).expect("a discard needs no room");
        for start in (0..SIZE).step_by(self.unit) {
            let end = (start + self.unit).min(SIZE);
            if offset <= start && end <= offset + len {
                self.wanted[start..end].fill(0);
            }
        }
    }

    fn check(&self) {
        assert!(self.read(0, SIZE).expect("all of it") == self.wanted, "the device is not what was written");
        let mm = self.service.device().stats().mm_stat;
        assert!(mm.mem_limit == 0 || mm.mem_used_total <= mm.mem_limit, "{mm:?}");
    }
}

fn play(unit: usize, limit: Option<usize>, ssd: bool, steps: &[Step]) {
    let dir = tempfile::tempdir().expect("a folder");
    let plain = config(SIZE, unit, limit);
    // Its memory and the SSD together have no room for all of the device: SSD's segments are of 1 MiB.
    play_on(if ssd { with_ssd(plain, dir.path(), 3 * MIB) } else { plain }, steps);
}

fn play_on(config: Config, steps: &[Step]) {
    let unit = config.unit.bytes();
    let mut model = Model { service: service(config), unit, wanted: vec![0; SIZE] };
    for step in steps {
        model.take(step);
    }
    model.check();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_device_is_an_array(steps in prop::collection::vec(step(), 1..60)) {
        play(16 * KIB, None, false, &steps);
    }

    #[test]
    fn a_device_with_little_memory_loses_nothing(steps in prop::collection::vec(step(), 1..80)) {
        play(4 * KIB, Some(MIB), false, &steps);
    }

    #[test]
    fn a_device_with_an_ssd_is_the_same_array(steps in prop::collection::vec(step(), 1..80)) {
        play(16 * KIB, Some(MIB), true, &steps);
    }

    #[test]
    fn a_device_that_deflates_is_too(steps in prop::collection::vec(step(), 1..60)) {
        let codec = "deflate".parse().expect("a codec");
        play_on(Config { codec, ..config(SIZE, 8 * KIB, Some(MIB)) }, &steps);
    }

    #[test]
    fn a_device_of_the_largest_units_is_too(steps in prop::collection::vec(step(), 1..60)) {
        play(64 * KIB, Some(2 * MIB), true, &steps);
    }
}

#[test]
fn a_full_device_says_so_and_goes_on_when_something_is_discarded() {
    let service = service(config(8 * MIB, 16 * KIB, Some(MIB)));
    let write =
        |at: usize| service.call(Request::Write((at * MIB) as u64, Bytes::from(bytes(at as u64, MIB, 8))));
    let mut model = Vec::new();
    let full = (0..8).find(|&at| {
        let written = write(at).is_ok();
        model.extend(written.then_some(at));
        !written
    });
    assert!(full.is_some(), "noise of 8 MiB does not fit into 1 MiB");
    assert!(service.device().stats().io_stat.failed_writes > 0);
    service.call(Request::Discard(Extent { offset: 0, len: 8 * MIB as u64 })).expect("a discard");
    service.call(Request::Write(0, Bytes::from(bytes(1, 512 * KIB, 8)))).expect("there is room again");
    let read = service.call(Request::Read(Extent { offset: 0, len: 512 * KIB as u64 })).expect("a read");
    assert!(read.concat() == bytes(1, 512 * KIB, 8));
    assert!(service.device().stats().io_stat.notify_free > 0);
}

#[test]
fn an_ssd_takes_what_memory_has_no_room_for_and_gives_it_back() {
    let dir = tempfile::tempdir().expect("a folder");
    let service = service(with_ssd(config(16 * MIB, 16 * KIB, Some(2 * MIB)), dir.path(), 64 * MIB));
    for at in 0..16 {
        let data = Bytes::from(bytes(at, MIB, 8));
        service.call(Request::Write(at * MIB as u64, data)).expect("the SSD has room for all");
    }
    let check = |at: u64| {
        let extent = Extent { offset: at * MIB as u64, len: MIB as u64 };
        assert!(service.call(Request::Read(extent)).expect("a read").concat() == bytes(at, MIB, 8), "{at}");
    };
    (0..16).for_each(check);
    let stats = service.device().stats();
    assert!(stats.more.demoted_units > 0 && stats.bd_stat.expect("an SSD").bd_count > 0, "{stats:?}");
    // Room in the pool, and the same units again and again: they come back to it.
    service
        .call(Request::Discard(Extent { offset: 2 * MIB as u64, len: 14 * MIB as u64 }))
        .expect("a discard");
    (0..4).for_each(|_| check(0));
    (0..4).for_each(|_| check(1));
    let after = service.device().stats();
    let on_ssd = after.bd_stat.expect("an SSD").bd_count;
    assert!(after.more.promoted_units > 0 || on_ssd == 0, "{after:?}");
}

#[test]
fn writers_of_one_unit_do_not_undo_each_other() {
    const LEN: usize = 1000;
    const THREADS: usize = 4;
    let service = service(config(64 * KIB, 16 * KIB, None));
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let service = &service;
            scope.spawn(move || {
                for round in 0..100_u64 {
                    // Each thread has every fourth run of bytes: most units are of all of them.
                    for i in 0..8 {
                        let offset = ((i * THREADS + thread) * LEN) as u64;
                        let data = bytes(round << 8 | thread as u64, LEN, 3);
                        service.call(Request::Write(offset, data.clone().into())).expect("there is room");
                        let read = service.call(Request::Read(Extent { offset, len: LEN as u64 }));
                        assert!(read.expect("a read").concat() == data, "thread {thread}, round {round}");
                    }
                }
            });
        }
    });
}

#[test]
fn idle_units_are_recompressed_and_others_are_not() {
    let service = service(config(4 * MIB, 16 * KIB, None));
    let device = service.device();
    let text = text(7, 2 * MIB);
    service.call(Request::Write(0, text.clone())).expect("there is room");
    device.mark_idle(Duration::ZERO);
    let first = service.call(Request::Read(Extent { offset: 0, len: MIB as u64 })).expect("a read");
    let which = Recompress { age: Age::Idle, codecs: zstd(), ..Recompress::default() };
    let sum = device.recompress(&which).expect("there is such a codec");
    assert_eq!(sum.units, (MIB / (16 * KIB)) as u64, "the half that was not read since: {sum:?}");
    assert!(sum.to < sum.from);
    let again = service.call(Request::Read(Extent { offset: 0, len: 2 * MIB as u64 })).expect("a read");
    assert!(again.concat() == text && first.concat() == text[..MIB]);
}

fn zstd() -> Codecs {
    Codecs::Named("zstd".to_owned())
}

/// Bytes of which each has the same two bits: entropy coding makes less of them, matches do not.
fn digits(len: usize) -> Bytes {
    bytes(9, len, 8).into_iter().map(|byte| byte & 0x3f).collect()
}

#[test]
fn units_become_smaller_by_themselves_once_they_are_idle() {
    let denser =
        Denser { codecs: vec!["zstd".parse().expect("a codec")], after: Some(Duration::from_millis(1)) };
    let service = service(Config { denser, ..config(4 * MIB, 16 * KIB, None) });
    let (text, digits) = (text(7, MIB), digits(MIB));
    service.call(Request::Write(0, text.clone())).expect("there is room");
    service.call(Request::Write(MIB as u64, digits.clone())).expect("there is room");
    let units = (2 * MIB / (16 * KIB)) as u64;
    // By its own thread, which needs a while: the test ends when it has done its work.
    while service.device().stats().more.recompressed_units < units {
        std::thread::sleep(Duration::from_millis(1));
    }
    let mm = service.device().stats().mm_stat;
    assert_eq!(mm.huge_pages, 0, "lz4 made nothing of the digits: {mm:?}");
    let is = service.call(Request::Read(Extent { offset: 0, len: 2 * MIB as u64 })).expect("a read").concat();
    assert!(is[..MIB] == text && is[MIB..] == digits);
}

/// Writes digits to a device of 8 MiB of DRAM until it refuses; returns how many pieces it took, all of which it has.
fn pieces_that_fit(after: Option<Duration>) -> usize {
    let denser = Denser { codecs: vec!["zstd".parse().expect("a codec")], after };
    let service = service(Config { denser, ..config(16 * MIB, 4 * KIB, Some(8 * MIB)) });
    let all = digits(16 * MIB);
    let piece = |at: usize| all.slice(at * 64 * KIB..(at + 1) * 64 * KIB);
    let offset = |at: usize| (at * 64 * KIB) as u64;
    let fit = (0..256).find(|&at| service.call(Request::Write(offset(at), piece(at))).is_err());
    let fit = fit.expect("16 MiB of digits have 12 MiB");
    for at in 0..fit {
        let read = service.call(Request::Read(Extent { offset: offset(at), len: 64 * KIB as u64 }));
        assert!(read.expect("a read").concat() == piece(at), "piece {at}");
    }
    fit
}

#[test]
fn a_full_device_makes_units_denser_before_it_refuses() {
    const NEVER_IDLE: Duration = Duration::from_hours(1);
    let (asked, unasked) = (pieces_that_fit(None), pieces_that_fit(Some(NEVER_IDLE)));
    assert!(unasked * 5 >= asked * 6, "{unasked} pieces of digits, and {asked} by lz4 alone");
}

#[test]
fn the_first_codec_that_is_good_enough_is_the_last_one_tried() {
    let codecs = ["zstd:1", "zstd:19"].map(|codec| codec.parse().expect("a codec")).to_vec();
    let service =
        service(Config { denser: Denser { codecs, after: None }, ..config(4 * MIB, 16 * KIB, None) });
    let device = service.device();
    service.call(Request::Write(0, digits(MIB))).expect("there is room");
    service.call(Request::Write(MIB as u64, text(7, MIB))).expect("there is room");
    let all = Recompress::default();
    let huge = Recompress { huge: true, most_pages: Some(8), ..all.clone() };
    let sum = device.recompress(&huge).expect("codecs");
    assert_eq!((sum.units, sum.from), (2, 32 * KIB as u64), "two units are eight pages: {sum:?}");
    let none = Recompress { codecs: Codecs::Priority(3), ..all.clone() };
    assert!(device.recompress(&none).is_err_and(|error| error.contains("priority 3")));
    let small = Recompress { threshold: 16 * KIB as u64, ..all.clone() };
    assert_eq!(device.recompress(&small).expect("codecs").units, 62, "only raw units are so large");
    assert_eq!(device.recompress(&all).expect("codecs").units, 64, "the text");
}

#[test]
fn sizes_that_cannot_be_are_refused() {
    for (size, limit) in [(0, None), (1000, None), (MIB, Some(KIB))] {
        let error = ztera_disk::Device::new(config(size, 4096, limit)).err().expect("refused");
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput, "{size} {limit:?}");
    }
}
