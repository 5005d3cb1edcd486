// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Units that an administrator moves to the SSD: by place, by age, and by what codecs made of them.

mod common;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use common::{KIB, MIB, bytes, config, service, text, with_ssd};
use tempfile::TempDir;
use ztera_disk::{Age, Codecs, Extent, Pages, Recompress, Request, Service, WriteBack};

const UNIT: usize = 16 * KIB;
const UNITS: usize = MIB / UNIT;
const PAGES: u64 = 4;

/// A device whose first half is noise, and whose second half compresses.
fn device() -> (TempDir, Arc<Service>, Vec<u8>) {
    let dir = tempfile::tempdir().expect("a folder");
    let service = service(with_ssd(config(MIB, UNIT, Some(2 * MIB)), dir.path(), 16 * MIB));
    let data = [&bytes(1, MIB / 2, 8)[..], &text(2, MIB / 2)].concat();
    service.call(Request::Write(0, Bytes::from(data.clone()))).expect("there is room");
    (dir, service, data)
}

/// Units on the SSD.
fn on_ssd(service: &Service) -> u64 {
    service.device().stats().bd_stat.expect("an SSD").bd_count / PAGES
}

fn assert_holds(service: &Service, data: &[u8]) {
    let all = Extent { offset: 0, len: MIB as u64 };
    assert!(service.call(Request::Read(all)).expect("a read").concat() == data);
}

fn pages(ranges: &[(u64, u64)]) -> WriteBack {
    let pages = ranges.iter().map(|&(first, last)| Pages { first, last }).collect();
    WriteBack { pages, ..WriteBack::default() }
}

#[test]
fn only_units_with_such_a_page_go() {
    let (_dir, service, data) = device();
    let device = service.device();
    for (ranges, units) in [
        (&[(0, 0)][..], 1),                           // unit 0
        (&[(3, 4)], 1),                               // of units 0 and 1 the first is there already
        (&[(8, 8), (11, 11), (9, 10)], 1),            // unit 2 by all of its pages
        (&[(12, 20), (200, 207)], 5),                 // units 3 to 5, and 50 and 51
        (&[(256, 1 << 40), (u64::MAX, u64::MAX)], 0), // beyond the device
    ] {
        assert_eq!(device.write_back(&pages(ranges)), Some(units), "{ranges:?}");
    }
    assert_eq!(on_ssd(&service), 8);
    assert_holds(&service, &data);
    let rest = UNITS as u64 - on_ssd(&service);
    assert_eq!(device.write_back(&WriteBack::default()), Some(rest));
    assert_holds(&service, &data);
}

#[test]
fn incompressible_is_what_codecs_tried_in_vain() {
    let (_dir, service, mut data) = device();
    let device = service.device();
    let incompressible = WriteBack { incompressible: true, ..WriteBack::default() };
    assert_eq!(device.write_back(&incompressible), Some(0), "nothing was tried");
    let which = Recompress { codecs: Codecs::Named("zstd:1".to_owned()), ..Recompress::default() };
    device.recompress(&which).expect("there is such a codec");
    // Of what is written anew nobody knows.
    data[..UNIT].copy_from_slice(&bytes(5, UNIT, 8));
    service.call(Request::Write(0, Bytes::from(data[..UNIT].to_vec()))).expect("there is room");
    let huge = device.stats().mm_stat.huge_pages / PAGES;
    assert_eq!(huge, UNITS as u64 / 2);
    assert_eq!(device.write_back(&incompressible), Some(huge - 1));
    assert_holds(&service, &data);
    assert_eq!(device.write_back(&WriteBack { huge: true, ..WriteBack::default() }), Some(1), "the new one");
    assert_holds(&service, &data);
}

#[test]
fn all_that_is_asked_for_must_hold() {
    let (_dir, service, data) = device();
    let device = service.device();
    device.mark_idle(Duration::ZERO);
    // Units 0 and 1 are wanted.
    service.call(Request::Read(Extent { offset: 0, len: 2 * UNIT as u64 })).expect("a read");
    let idle = WriteBack { age: Age::Idle, huge: true, ..pages(&[(0, 4 * PAGES - 1), (200, 207)]) };
    assert_eq!(device.write_back(&idle), Some(2), "units 2 and 3: others are wanted, elsewhere, or not huge");
    assert_holds(&service, &data);
}

#[test]
fn without_an_ssd_there_is_nowhere_to_go() {
    let service = service(config(MIB, UNIT, None));
    assert_eq!(service.device().write_back(&pages(&[(0, 9)])), None);
}
