//! Sparse chunks are emptied and go back to the system, whatever happens to their objects meanwhile.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use ztera_kit::Random;
use ztera_pool::{Config, Handle, Pool};

const UNIT: usize = 8192;
/// Of a pool that is not small.
const CHUNK: u64 = 16 * UNIT as u64;

fn pool(chunks: u64) -> Pool {
    let config = Config { unit_len: UNIT, limit: chunks * CHUNK, threads: 8 };
    Pool::new(config).expect("address space for a small pool")
}

/// An object, of bytes that tell which one it is.
struct Object {
    handle: Handle,
    id: u64,
    len: usize,
}

impl Object {
    fn store(pool: &Pool, id: u64, len: usize) -> Option<Self> {
        let handle = pool.store(&bytes(id, len), None)?;
        Some(Self { handle, id, len })
    }

    fn check(&self, pool: &Pool) {
        assert!(pool.read(&self.handle)[..self.len] == bytes(self.id, self.len), "object {}", self.id);
    }

    /// Whether it was moved.
    fn evacuate(&mut self, pool: &Pool) -> bool {
        let new = if pool.should_move(self.handle.bits()) { pool.relocate(&self.handle) } else { None };
        new.map(|new| pool.free_moved(std::mem::replace(&mut self.handle, new))).is_some()
    }
}

fn bytes(id: u64, len: usize) -> Vec<u8> {
    id.to_le_bytes().into_iter().cycle().take(len).collect()
}

fn evacuate(pool: &Pool, objects: &mut [Object]) -> usize {
    pool.begin_evacuation();
    let moved = objects.iter_mut().filter_map(|object| object.evacuate(pool).then_some(())).count();
    pool.end_evacuation();
    moved
}

/// Of many objects of a few sizes every seventh is left.
#[test]
fn what_is_left_of_many_objects_takes_little_memory() {
    const LENS: [usize; 5] = [700, 2000, 3100, 5500, UNIT];
    let pool = pool(4096);
    let mut objects: Vec<Object> = (0..if cfg!(miri) { 700 } else { 7000 })
        .map(|i| Object::store(&pool, i, LENS[i as usize % 5]).expect("room"))
        .collect();
    let mut all = std::mem::take(&mut objects).into_iter().enumerate();
    for (i, object) in &mut all {
        if i % 7 == 0 { objects.push(object) } else { pool.free(object.handle) }
    }
    let before = pool.usage();
    let needed: u64 = objects.iter().map(|object| pool.slot_len(object.len)).sum();
    assert!(before.used > 2 * needed, "{before:?} for {needed} bytes");

    let moved = evacuate(&pool, &mut objects);
    assert!(moved > 0 && moved < objects.len(), "{moved} of {}", objects.len());
    evacuate(&pool, &mut objects);
    let after = pool.usage();
    // A class may keep a quarter of a chunk; its last unit is in part unused.
    let slack = LENS.len() as u64 * (CHUNK / 4 + UNIT as u64);
    assert!(after.used <= needed + slack, "{after:?} for {needed} bytes");
    assert!(after.compacted >= before.used - after.used, "{after:?} after {before:?}");
    objects.iter().for_each(|object| object.check(&pool));

    assert_eq!(evacuate(&pool, &mut objects), 0, "there is nothing left to be had");
    objects.into_iter().for_each(|object| pool.free(object.handle));
    assert_eq!((pool.usage().used, pool.spare_units()), (0, 4095 * 16));
}

/// Memory that was never used costs nothing: one object of each of many classes takes a quarter of a chunk.
#[test]
fn memory_counts_when_it_is_touched() {
    let pool = pool(256);
    let objects: Vec<Object> =
        (1..=100).map(|i| Object::store(&pool, i, UNIT * i as usize / 100).expect("room")).collect();
    assert!(pool.usage().used <= 100 * 4 * UNIT as u64, "{:?}", pool.usage());
    objects.into_iter().for_each(|object| pool.free(object.handle));
    assert_eq!(pool.usage().used, 0);
}

/// Threads share what free slots there are, where each would have had a chunk of its own.
#[test]
fn a_chunk_is_filled_before_another_one_is_opened() {
    let pool = pool(64);
    let objects: Vec<Object> = std::thread::scope(|scope| {
        let store = |i| {
            scope.spawn({
                let pool = &pool;
                move || Object::store(pool, i, 2000).expect("room")
            })
        };
        (0..64).map(|i| store(i).join().expect("no assertion failed")).collect()
    });
    assert!(pool.usage().used <= CHUNK, "{:?}", pool.usage());
    objects.into_iter().for_each(|object| pool.free(object.handle));
}

/// Threads replace objects in a table while another one evacuates, in a pool that is too small for all of them.
#[test]
fn objects_come_and_go_meanwhile() {
    const SLOTS: u64 = 400;
    let pool = pool(16);
    let table: Vec<Mutex<Option<Object>>> = (0..SLOTS).map(|_| Mutex::default()).collect();
    let (done, moved) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let (pool, table, done, moved) = (&pool, &table, &done, &moved);
        let churns: Vec<_> = (1..4).map(|seed| scope.spawn(move || churn(pool, table, seed))).collect();
        let evacuates = scope.spawn(move || {
            while !done.load(Ordering::Relaxed) {
                pool.begin_evacuation();
                for slot in table {
                    let mut slot = slot.lock();
                    let was_moved = slot.as_mut().is_some_and(|object| object.evacuate(pool));
                    moved.fetch_add(was_moved.into(), Ordering::Relaxed);
                }
                pool.end_evacuation();
            }
        });
        churns.into_iter().for_each(|thread| thread.join().expect("no assertion failed"));
        done.store(true, Ordering::Relaxed);
        evacuates.join().expect("no assertion failed");
    });
    assert!(moved.into_inner() > 0, "something was in the way");
    for object in table.into_iter().filter_map(Mutex::into_inner) {
        object.check(&pool);
        pool.free(object.handle);
    }
    assert_eq!((pool.usage().used, pool.spare_units()), (0, 16 * 16 - 4));
}

fn churn(pool: &Pool, table: &[Mutex<Option<Object>>], seed: u64) {
    let mut random = Random(seed);
    for i in 0..if cfg!(miri) { 200 } else { 4000 } {
        let mut slot = table[random.below(table.len())].lock();
        if let Some(object) = slot.take() {
            object.check(pool);
            pool.free(object.handle);
        }
        let len = [UNIT, 3000, 3000, 1000, 200][random.below(5)];
        *slot = Object::store(pool, seed << 32 | i, len);
    }
}
