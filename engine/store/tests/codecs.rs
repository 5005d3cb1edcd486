//! The codec that a new object takes.

use ztera_codec::{CodecKind, Settings};
use ztera_kit::Random;
use ztera_store::{Config, Scratch, Store, UnitIndex, UnitSize};

const UNIT: usize = 16 << 10;

fn store() -> Store {
    store_of(16, None)
}

fn store_of(units: u32, pool_limit: Option<u64>) -> Store {
    Store::new(Config {
        unit: UnitSize::new(UNIT).expect("a unit's size"),
        units,
        pool_limit,
        staging_limit: 0,
        staging_strict: true,
        codec: Settings::default(),
        dense: Some(Settings { kind: CodecKind::Zstd, level: 0 }),
        threads: 1,
        ssd: None,
    })
    .expect("a store")
}

/// Of 16 letters: lz4 makes nothing of them, zstd half.
fn letters() -> Vec<u8> {
    let mut random = Random(7);
    (0..UNIT).map(|_| b'a' + random.below(16) as u8).collect()
}

/// Bytes that the pool has for letters that were stored with this working memory.
fn stored(mut scratch: Scratch, is_tight: bool) -> u64 {
    let store = store();
    scratch.set_tight(is_tight);
    let mut slot = store.table().lock(UnitIndex(3));
    store.put(&mut slot, &letters(), &mut scratch).expect("it has no limit");
    drop(slot);
    store.stats().compr_data_size
}

/// Bug: threads that served a fault took the denser codec, too.
#[test]
fn only_threads_that_have_time_make_objects_small() {
    let made = |is_patient: bool, is_tight: bool| {
        let store = store();
        stored(if is_patient { store.patient_scratch() } else { store.scratch() }, is_tight)
    };
    let small = UNIT as u64 * 3 / 4;
    assert!(made(true, true) < small);
    for (is_patient, is_tight) in [(true, false), (false, false), (false, true)] {
        assert!(made(is_patient, is_tight) > small, "patient: {is_patient}, tight: {is_tight}");
    }
}

/// Bug: all that was new took the denser codec long before the pool was full, in case it would be.
#[test]
fn what_finds_no_room_is_made_denser() {
    const UNITS: u32 = 1024;
    let store = store_of(UNITS, Some(UNITS as u64 / 4 * UNIT as u64));
    let put = |unit: u32, scratch: &mut Scratch| {
        let mut slot = store.table().lock(UnitIndex(unit));
        store.put(&mut slot, &letters(), scratch)
    };
    let mut dense = store.patient_scratch();
    dense.set_tight(true);
    let full = (1..UNITS).find(|&unit| put(unit, &mut dense).is_err()).expect("it has a limit");
    assert!(full > UNITS / 4, "dense objects are small");
    store.clear(&mut store.table().lock(UnitIndex(1)));
    assert!(put(0, &mut store.scratch()).is_err(), "the hole is too small");
    assert!(put(0, &mut store.patient_scratch()).is_ok());
}
