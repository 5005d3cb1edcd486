//! The engine's hot paths, each run a fixed number of times on the same data by one thread, so that callgrind can count
//! their instructions. `engine/counts.sh` does that; run by itself, this only sees to it that they do what they should.
//!
//! Prints, in the order in which they are counted, the name of each path and how many operations that were.

use std::hint::black_box;

use ztera_codec::{CodecKind, Packed, Packer, Settings};
use ztera_kit::{data, noise};
use ztera_pool::{Config as PoolConfig, Handle, Pool};
use ztera_store::{Config, Store, UnitIndex, UnitSize};

const UNIT: usize = 16 << 10;
const SEED: u64 = 1;
/// Operations of each path: as many as there are units.
const COUNT: usize = 64;
/// Bytes of an object of the pool: small, so that to copy it is not most of the work.
const OBJECT: usize = 500;

fn main() {
    let objects = data::objects(COUNT * UNIT);
    codec("lz4", CodecKind::Lz4, &objects);
    codec("zstd", CodecKind::Zstd, &objects);
    codec("lz4-decimals", CodecKind::Lz4, &data::decimals(COUNT * UNIT));
    pool();
    store("", &objects);
    store("-same", &vec![7; COUNT * UNIT]);
    store("-raw", &noise(SEED, COUNT * UNIT));
}

/// The function that callgrind collects, and makes a dump of each time: `engine/counts.sh` knows it by this name.
#[unsafe(no_mangle)]
#[inline(never)]
fn ztera_counted(path: &mut dyn FnMut()) {
    path();
}

fn count(name: &str, mut path: impl FnMut()) {
    ztera_counted(&mut path);
    println!("{name} {COUNT}");
}

/// A unit is encoded, and its frame decoded.
fn codec(name: &str, kind: CodecKind, data: &[u8]) {
    let mut packer = Packer::new(Settings { kind, level: 0 }, UNIT);
    let mut unit = vec![0; UNIT];
    // Each path once before it is counted: contexts are built, and symbols bound, on first use.
    let frames: Vec<Vec<u8>> = data.chunks_exact(UNIT).map(|unit| frame(&mut packer, unit)).collect();
    for (frame, original) in frames.iter().zip(data.chunks_exact(UNIT)) {
        packer.unpack(frame, &mut unit).expect("what was packed unpacks");
        assert!(unit == original, "{name} changed a unit");
    }
    count(&format!("encode-{name}"), || {
        data.chunks_exact(UNIT).for_each(|unit| {
            black_box(packer.pack(unit));
        });
    });
    count(&format!("decode-{name}"), || {
        frames.iter().for_each(|frame| packer.unpack(frame, &mut unit).expect("it did before"));
    });
}

fn frame(packer: &mut Packer, unit: &[u8]) -> Vec<u8> {
    let Packed::Frame(frame) = packer.pack(unit) else { panic!("this compresses") };
    frame.to_vec()
}

/// An object is stored, found and freed, in a pool with free slots between others.
fn pool() {
    let pool = Pool::new(PoolConfig { unit_len: UNIT, limit: 64 << 20, threads: 1 }).expect("address space");
    let object = [7; OBJECT];
    let store = || pool.store(&object, None).expect("it is far from full");
    let (kept, freed): (Vec<_>, Vec<_>) = (0..2 * COUNT).map(|_| (store(), store())).unzip();
    freed.into_iter().for_each(|handle| pool.free(handle));

    let mut handles: Vec<Handle> = Vec::with_capacity(COUNT);
    count("pool-store", || handles.extend((0..COUNT).map(|_| store())));
    count("pool-read", || handles.iter().for_each(|handle| assert!(black_box(pool.read(handle))[0] == 7)));
    count("pool-free", || handles.drain(..).for_each(|handle| pool.free(handle)));
    kept.into_iter().for_each(|handle| pool.free(handle));
    assert_eq!(pool.usage().occupied, 0);
}

/// A unit is stored in place of another one, and its contents are asked for: what storing and serving a fault are without
/// threads and system calls. Where there is little or nothing to decode, what the store itself does shows.
fn store(name: &str, data: &[u8]) {
    let store = Store::new(Config {
        unit: UnitSize::new(UNIT).expect("a power of two"),
        units: COUNT as u32,
        pool_max: None,
        staging_limit: 1 << 20,
        staging_strict: false,
        codec: Settings::default(),
        dense: None,
        threads: 1,
        ssd: None,
    });
    let store = store.expect("address space");
    let mut scratch = store.scratch();
    let units = || (0..).map(UnitIndex).zip(data.chunks_exact(UNIT));
    let mut put_all = || {
        for (unit, bytes) in units() {
            store.put(&mut store.table().lock(unit), bytes, &mut scratch).expect("it is far from full");
        }
    };
    put_all();
    count(&format!("store{name}"), put_all);
    let mut load_all = |check: &dyn Fn(&[u8], &[u8])| {
        for (unit, bytes) in units() {
            let slot = store.table().lock(unit);
            check(store.contents(&slot, &mut scratch).expect("what was stored is there"), bytes);
        }
    };
    load_all(&|found, bytes| assert!(found == bytes, "a unit changed in the store"));
    count(&format!("load{name}"), || load_all(&|found, _| _ = black_box(found)));
}
