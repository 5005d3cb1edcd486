//! The codec that a new object takes.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ztera_codec::{CodecKind, Settings};
use ztera_kit::Random;
use ztera_store::{Config, Density, Pages, Reading, Scratch, Splitting, Store, UnitIndex, UnitSize, Use};

const UNIT: usize = 16 << 10;

fn store() -> Store {
    store_of(16, None)
}

fn store_of(units: u32, pool_max: Option<u64>) -> Store {
    Store::new(Config {
        unit: UnitSize::new(UNIT).expect("a unit's size"),
        units,
        pool_max,
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
fn stored(mut scratch: Scratch, mut density: Density) -> u64 {
    let store = store();
    let mut slot = store.table().lock(UnitIndex(3));
    store.put_as(&mut slot, &letters(), Use::Whole, &mut density, &mut scratch).expect("it has no limit");
    drop(slot);
    store.stats().compr_data_size
}

/// Bug: threads that served a fault took the denser codec, too.
#[test]
fn only_threads_that_have_time_make_objects_small() {
    let made = |is_patient: bool, density| {
        let store = store();
        stored(if is_patient { store.patient_scratch() } else { store.scratch() }, density)
    };
    let small = UNIT as u64 * 3 / 4;
    assert!(made(true, Density::Dense) < small);
    for (is_patient, density) in [(true, Density::Usual), (false, Density::Usual), (false, Density::Dense)] {
        assert!(made(is_patient, density) > small, "patient: {is_patient}, {density:?}");
    }
}

/// Bug: all that was new took the denser codec long before the pool was full, in case it would be.
#[test]
fn what_finds_no_room_is_made_denser() {
    const UNITS: u32 = 1024;
    let store = store_of(UNITS, Some(UNITS as u64 / 4 * UNIT as u64));
    let put_as = |unit: u32, density: &mut Density, scratch: &mut Scratch| {
        let mut slot = store.table().lock(UnitIndex(unit));
        store.put_as(&mut slot, &letters(), Use::Whole, density, scratch)
    };
    let put = |unit, scratch: &mut Scratch| put_as(unit, &mut Density::Usual, scratch);
    let mut scratch = store.patient_scratch();
    let is_refused = |&unit: &u32| put_as(unit, &mut Density::Dense, &mut scratch).is_err();
    let full = (1..UNITS).find(is_refused).expect("it has a limit");
    assert!(full > UNITS / 4, "dense objects are small");
    store.clear(&mut store.table().lock(UnitIndex(1)));
    assert!(put(0, &mut store.scratch()).is_err(), "the hole is too small");
    let mut density = Density::Usual;
    assert!(put_as(0, &mut density, &mut store.patient_scratch()).is_ok());
    assert_eq!(density, Density::Dense, "what comes next is made so at once");
}

/// Stores letters as the contents of a unit of that use, as small as they can be.
fn put_dense(store: &Store, unit: UnitIndex, used: Use) {
    let mut scratch = store.patient_scratch();
    let mut slot = store.table().lock(unit);
    store.put_as(&mut slot, &letters(), used, &mut Density::Dense, &mut scratch).expect("it has no limit");
}

/// Whether a page of the unit's contents is right, and all of them.
fn holds_letters(store: &Store, unit: UnitIndex) -> [bool; 2] {
    let (slot, letters, mut scratch) = (store.table().lock(unit), letters(), store.scratch());
    let page = 4096..8192;
    let reading = Reading { pages: Pages::one(1), ..Reading::default() };
    let part = store.contents_by(&slot, reading, &mut scratch).expect("readable");
    let part_is_right = part[page.clone()] == letters[page];
    [part_is_right, store.contents(&slot, &mut scratch).expect("readable") == letters]
}

#[test]
fn units_are_split_at_once_or_later() {
    let store = store();
    let [whole, by_page] = [UnitIndex(3), UnitIndex(4)];
    put_dense(&store, whole, Use::Whole);
    put_dense(&store, by_page, Use::ByPage);
    let may_be_split = |unit| store.may_be_split(&store.table().lock(unit));
    assert_eq!([whole, by_page].map(may_be_split), [true, false]);
    let mut splitter = store.splitter().expect("zstd takes long to decode");
    assert_eq!(
        [whole, by_page].map(|unit| store.split(unit, &mut splitter)),
        [Splitting::Done, Splitting::Nothing]
    );
    assert!(!may_be_split(whole), "it is");
    assert_eq!([whole, by_page].map(|unit| holds_letters(&store, unit)), [[true, true]; 2]);
    [whole, by_page].iter().for_each(|&unit| store.clear(&mut store.table().lock(unit)));
    assert_eq!((store.stats().compr_data_size, store.stats().mem_used_total), (0, 0));
}

/// Contents that change while their unit is split are the new ones.
#[test]
fn a_unit_that_is_overwritten_while_it_is_split_keeps_what_was_written() {
    const ROUNDS: usize = 100;
    let (store, unit) = (store(), UnitIndex(3));
    let (tried, done, is_over) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let wait_for = |counter: &AtomicUsize, more: usize| {
        let before = counter.load(Ordering::Relaxed);
        while counter.load(Ordering::Relaxed) < before + more {
            std::thread::yield_now();
        }
    };
    let holds = |bytes: &[u8]| {
        let (slot, mut scratch) = (store.table().lock(unit), store.scratch());
        store.contents(&slot, &mut scratch).expect("readable") == bytes
    };
    let wrong = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut splitter = store.splitter().expect("zstd takes long to decode");
            while !is_over.load(Ordering::Relaxed) {
                let is_done = store.split(unit, &mut splitter) == Splitting::Done;
                done.fetch_add(usize::from(is_done), Ordering::Relaxed);
                tried.fetch_add(1, Ordering::Relaxed);
            }
        });
        let wrong = (0..ROUNDS).find(|round| {
            put_dense(&store, unit, Use::Whole);
            (0..round * 8).for_each(|_| std::thread::yield_now());
            store
                .put(&mut store.table().lock(unit), &[7; UNIT], &mut store.scratch())
                .expect("it has no limit");
            // All that was under way is over when the second attempt is.
            wait_for(&tried, 2);
            !holds(&[7; UNIT])
        });
        put_dense(&store, unit, Use::Whole);
        while done.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        is_over.store(true, Ordering::Relaxed);
        wrong
    });
    assert_eq!(wrong, None, "the round in which what was written was lost");
    assert!(holds(&letters()), "the last one was split in peace");
}
