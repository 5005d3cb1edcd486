// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A device with an accelerator, which is a model here: it loses nothing, whatever the accelerator does.

mod common;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use common::{KIB, MIB, bytes, config, service, text};
use proptest::prelude::*;
use ztera_disk::{
    Codecs, Config, Denser, Device, Extent, Offload, OffloadOptions, Recompress, Request, Service, Verify,
};

const UNIT: usize = 4 * KIB;
const SIZE: usize = 2 * MIB;

const FAULTS: &str = "error=0.05,corrupt=0.05,expand=0.02,slow=0.05,stuck=0.01,reset=0.01";

fn offload(params: &str, deadline: Duration, verify: Verify) -> Option<Offload> {
    let backend = format!("model:latency=5,page=0,level=1,{params}").parse().expect("a model");
    Some(Offload { backend, options: OffloadOptions { deadline, verify, ..OffloadOptions::default() } })
}

fn device(params: &str, deadline: Duration, verify: Verify) -> Arc<Service> {
    let codec = "deflate".parse().expect("a codec");
    service(Config { codec, accelerator: offload(params, deadline, verify), ..config(SIZE, UNIT, None) })
}

const LONG: Duration = Duration::from_secs(60);

fn read(service: &Service, offset: usize, len: usize) -> Vec<u8> {
    let extent = Extent { offset: offset as u64, len: len as u64 };
    service.call(Request::Read(extent)).expect("nothing is lost").concat()
}

fn count(service: &Service, name: &str) -> u64 {
    service.device().stats().accelerator.expect("there is one")[name]
}

#[test]
fn whole_units_go_to_the_accelerator_and_parts_of_them_do_not() {
    let service = device("ring=64", LONG, Verify::Sums);
    let data = text(1, 16 * UNIT);
    service.call(Request::Write(0, data.clone())).expect("there is room");
    assert_eq!(count(&service, "offloaded_units"), 16);
    service.call(Request::Write(100, Bytes::from_static(b"a part"))).expect("there is room");
    assert_eq!(count(&service, "offloaded_units"), 16);
    let mut wanted = data.to_vec();
    wanted[100..106].copy_from_slice(b"a part");
    assert!(read(&service, 0, 16 * UNIT) == wanted);
}

#[test]
fn a_direct_accelerator_gets_one_unit_after_the_other() {
    let written = |direct: bool| {
        let mut offload = offload("instances=1,ring=1", LONG, Verify::Sums).expect("one");
        offload.options.direct = direct;
        let codec = "deflate".parse().expect("a codec");
        let service = service(Config { codec, accelerator: Some(offload), ..config(SIZE, UNIT, None) });
        let data = text(4, 16 * UNIT);
        service.call(Request::Write(0, data.clone())).expect("there is room");
        assert!(read(&service, 0, 16 * UNIT) == data);
        (count(&service, "offloaded_units"), count(&service, "ring_full_units") > 0)
    };
    assert_eq!(written(true), (16, false));
    assert!(written(false).1, "a batch of 16 is more than a ring of one");
}

#[test]
fn recompression_by_deflate_goes_to_the_accelerator_too() {
    let denser = Denser { codecs: vec!["deflate".parse().expect("a codec")], after: None };
    let accelerator = offload("", LONG, Verify::Decode);
    let service = service(Config { denser, accelerator, ..config(SIZE, UNIT, None) });
    let data = text(2, 16 * UNIT);
    service.call(Request::Write(0, data.clone())).expect("there is room");
    assert_eq!(count(&service, "offloaded_units"), 0, "lz4 is the CPU's");
    let sum = service.device().recompress(&Recompress::default()).expect("codecs");
    assert!(sum.to < sum.from, "{sum:?}");
    assert_eq!(count(&service, "offloaded_units"), 16);
    assert!(read(&service, 0, 16 * UNIT) == data);
    let by_zstd = Recompress { codecs: Codecs::Named("zstd".to_owned()), ..Recompress::default() };
    service.device().recompress(&by_zstd).expect("codecs");
    assert_eq!(count(&service, "offloaded_units"), 16, "zstd is the CPU's");
}

#[test]
fn an_accelerator_that_is_gone_is_not_missed() {
    let service = device("gone-after=5", LONG, Verify::Decode);
    let data = text(3, SIZE);
    service.call(Request::Write(0, data.clone())).expect("there is room");
    assert!(read(&service, 0, SIZE) == data);
    assert!(count(&service, "down_units") > 0);
}

#[test]
fn without_deflate_an_accelerator_is_refused() {
    let accelerator = offload("", LONG, Verify::Decode);
    let error = Device::new(Config { accelerator, ..config(SIZE, UNIT, None) }).err().expect("refused");
    assert!(error.to_string().contains("deflate"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Writes of any place and length, compared with a plain array.
    #[test]
    fn faults_end_in_right_bytes(
        writes in prop::collection::vec((0..SIZE / 512, 1..400_usize, any::<u64>(), 0..9_usize), 1..25),
        seed in any::<u32>(),
        sums in any::<bool>(),
    ) {
        let verify = if sums { Verify::Sums } else { Verify::Decode };
        let service = device(&format!("seed={seed},{FAULTS}"), Duration::from_millis(2), verify);
        let mut wanted = vec![0; SIZE];
        for (at, sectors, seed, random) in writes {
            let offset = at * 512;
            let len = (sectors * 512).min(SIZE - offset);
            let data = if random == 8 { Bytes::from(bytes(seed, len, 8)) } else { text(seed, len) };
            service.call(Request::Write(offset as u64, data.clone())).expect("there is room");
            wanted[offset..offset + len].copy_from_slice(&data);
        }
        prop_assert!(read(&service, 0, SIZE) == wanted);
    }
}

/// Threads write and read their own parts of the device at once, while the accelerator makes all of its mistakes.
#[test]
fn threads_with_a_bad_accelerator_lose_nothing() {
    const THREADS: usize = 8;
    let service = device(&format!("instances=4,{FAULTS}"), Duration::from_millis(5), Verify::Decode);
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let service = &service;
            scope.spawn(move || {
                let len = SIZE / THREADS;
                for round in 0..24 {
                    let data = text((round * THREADS + thread) as u64, len);
                    service.call(Request::Write((thread * len) as u64, data.clone())).expect("there is room");
                    assert!(read(service, thread * len, len) == data, "thread {thread}, round {round}");
                }
            });
        }
    });
    assert!(count(&service, "offloaded_units") > 0);
    let faults = ["failed_units", "wrong_units", "late_units", "lost_units"];
    assert!(faults.iter().any(|name| count(&service, name) > 0));
}
