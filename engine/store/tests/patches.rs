//! Corrections of contents that nobody has in memory.

use ztera_codec::{CodecKind, Settings};
use ztera_kit::Random;
use ztera_store::{
    Config, Density, Mover, Patch, Reading, Recompressed, SsdConfig, Store, UnitIndex, UnitSize, Use,
};

const UNIT: usize = 16 << 10;
const DENSE: Settings = Settings { kind: CodecKind::Zstd, level: 1 };

fn store(ssd: Option<SsdConfig>) -> Store {
    let settings = Settings { kind: CodecKind::Lz4, level: 0 };
    Store::new(Config {
        unit: UnitSize::new(UNIT).expect("a unit's size"),
        units: 16,
        pool_max: None,
        staging_limit: 0,
        staging_strict: true,
        codec: settings,
        dense: Some(DENSE),
        threads: 1,
        ssd,
    })
    .expect("a store")
}

/// Compresses well, or not at all.
fn contents(is_noise: bool) -> Vec<u8> {
    let mut random = Random(3);
    (0..UNIT).map(|i| if is_noise { random.below(256) as u8 } else { (i / 100) as u8 }).collect()
}

fn put(store: &Store, unit: UnitIndex, bytes: &[u8]) {
    let mut slot = store.table().lock(unit);
    store.put(&mut slot, bytes, &mut store.scratch()).expect("it has no limit");
}

/// Changes four bytes from what they are there to `to`.
fn patch(bytes: &[u8], offset: usize, to: u32) -> Patch {
    let from = bytes[offset..][..Patch::LEN].try_into().expect("four bytes");
    Patch { offset: offset as u32, from, to: to.to_ne_bytes() }
}

fn with(bytes: &[u8], patches: &[Patch]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for patch in patches {
        bytes[patch.offset as usize..][..Patch::LEN].copy_from_slice(&patch.to);
    }
    bytes
}

fn add(store: &Store, unit: UnitIndex, patches: &[Patch]) -> bool {
    store.patch(&mut store.table().lock(unit), patches)
}

/// Either way to read a unit gives these bytes.
fn check_reads(store: &Store, unit: UnitIndex, expected: &[u8]) {
    let (slot, mut scratch) = (store.table().lock(unit), store.scratch());
    assert!(store.contents(&slot, &mut scratch).expect("readable") == expected, "where they are");
    let mut copy = vec![0; UNIT];
    store.contents_to(&slot, Reading::default(), &mut scratch, &mut copy).expect("readable");
    assert!(copy == expected, "a copy");
}

#[test]
fn readers_find_patches_made_whatever_the_pool_holds() {
    for is_noise in [false, true] {
        let (store, unit, bytes) = (store(None), UnitIndex(3), contents(is_noise));
        put(&store, unit, &bytes);
        let first = [patch(&bytes, 8, 77), patch(&bytes, UNIT - 4, 78)];
        assert!(add(&store, unit, &first));
        let now = with(&bytes, &first);
        check_reads(&store, unit, &now);
        let more = [patch(&now, 400, 79), patch(&now, 8, 80)];
        assert!(add(&store, unit, &more));
        check_reads(&store, unit, &with(&now, &more));
        assert!(store.patch_bytes() as usize >= 3 * size_of::<Patch>());
    }
}

#[test]
fn what_is_not_there_is_not_changed() {
    let (store, unit, bytes) = (store(None), UnitIndex(3), contents(false));
    put(&store, unit, &bytes);
    let wrong = Patch { from: [1, 2, 3, 4], ..patch(&bytes, 8, 77) };
    assert!(add(&store, unit, &[wrong]));
    check_reads(&store, unit, &bytes);
    // Nobody knows here what the bytes are.
    assert!(!add(&store, unit, &[patch(&bytes, 80, 1), patch(&bytes, 8, 78)]));
    check_reads(&store, unit, &bytes);
}

#[test]
fn only_contents_outside_of_memory_are_patched() {
    let (store, unit, bytes) = (store(None), UnitIndex(3), contents(false));
    assert!(!add(&store, unit, &[patch(&bytes, 0, 1)]), "empty");
    put(&store, unit, &bytes);
    store.table().lock(unit).set_resident(true);
    assert!(!add(&store, unit, &[patch(&bytes, 0, 1)]), "resident");
    store.table().lock(unit).set_resident(false);
    store.table().lock(unit).set_lingering(true);
    assert!(!add(&store, unit, &[patch(&bytes, 0, 1)]), "lingers");
}

/// The contents are as the store has them, only elsewhere.
#[test]
fn patches_stay_as_contents_are_made_anew_and_written_to_the_ssd() {
    let directory = tempfile::tempdir().expect("a directory");
    let ssd = SsdConfig { limit: Some(8 << 20), ..SsdConfig::new(directory.path()) };
    let (store, unit, bytes) = (store(Some(ssd)), UnitIndex(3), contents(false));
    put(&store, unit, &bytes);
    let patches = [patch(&bytes, 1000, 77)];
    assert!(add(&store, unit, &patches));
    let now = with(&bytes, &patches);
    let stamp = store.table().lock(unit).stamp();
    let outcome = store.recompress(unit, stamp, &mut store.recompressor(DENSE));
    assert!(matches!(outcome, Recompressed::Done { from, to } if to < from), "{outcome:?}");
    check_reads(&store, unit, &now);
    let mut mover = Mover::new(&store).expect("an SSD, and nobody else");
    assert!(mover.add(&mut store.table().lock(unit)), "the batch is empty");
    assert_eq!(mover.flush().expect("it writes"), 1);
    drop(mover);
    check_reads(&store, unit, &now);
    assert_eq!(store.stats().bd_data_size, UNIT as u64);
}

#[test]
fn new_contents_have_no_patches() {
    type Change = fn(&Store, UnitIndex, &[u8]);
    let changes: [Change; 3] = [
        |store, unit, bytes| put(store, unit, bytes),
        |store, unit, bytes| {
            store.clear(&mut store.table().lock(unit));
            check_reads(store, unit, &[0; UNIT]);
            put(store, unit, bytes);
        },
        |store, unit, bytes| {
            let mut slot = store.table().lock(unit);
            slot.set_resident(true);
            store.forget(&mut slot);
            let used = Use::Whole;
            let stored = store.put_as(&mut slot, bytes, used, &mut Density::Usual, &mut store.scratch());
            stored.expect("it has no limit");
            slot.set_resident(false);
        },
    ];
    for change in changes {
        let (store, unit, bytes) = (store(None), UnitIndex(3), contents(false));
        put(&store, unit, &bytes);
        assert!(add(&store, unit, &[patch(&bytes, 8, 77)]));
        change(&store, unit, &bytes);
        check_reads(&store, unit, &bytes);
        assert_eq!(store.patch_bytes(), 0);
    }
}
