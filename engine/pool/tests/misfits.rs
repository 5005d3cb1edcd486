//! Short objects that got too large a slot move to smaller ones, also in a full pool, which stays within its limit.
//!
//! Bug: while all room of the pool was promised to staged data, short objects took slots of whole units. Nothing moved
//! them later, as the chunks that they filled were not sparse, so the pool was full for good with little in it.

use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use ztera_kit::Random;
use ztera_pool::{Config, Handle, Pool};

const UNIT: usize = 4096;
const CHUNK: u64 = 4 * UNIT as u64;
const CHUNKS: u64 = 112;
/// A pool of so many chunks promises all but one chunk.
const UNITS: u32 = (CHUNKS as u32 - 1) * 4;

struct Object {
    handle: Handle,
    id: u64,
    len: usize,
}

impl Object {
    fn check(&self, pool: &Pool) {
        assert!(pool.read(&self.handle)[..self.len] == bytes(self.id, self.len), "object {}", self.id);
    }

    /// Moves it if the pool wants that. Returns whether it did.
    fn relocate(&mut self, pool: &Pool) -> bool {
        let new = if pool.should_move(self.handle.bits()) { pool.relocate(&self.handle) } else { None };
        new.map(|new| pool.free_moved(std::mem::replace(&mut self.handle, new))).is_some()
    }
}

fn bytes(id: u64, len: usize) -> Vec<u8> {
    id.to_le_bytes().into_iter().cycle().take(len).collect()
}

fn new_pool() -> Pool {
    Pool::new(Config { unit_len: UNIT, limit: CHUNKS * CHUNK, threads: 8 }).expect("address space")
}

/// A pool full of objects, all of which were promised a whole unit, and have one.
fn filled(len: impl Fn(u64) -> usize) -> (Pool, Vec<Object>) {
    let pool = new_pool();
    let mut promise = pool.reserve(UNITS).expect("an empty pool");
    let object = |id| {
        let handle = pool.store(&bytes(id, len(id)), promise.take_one()).expect("it was promised");
        Object { handle, id, len: len(id) }
    };
    let objects: Vec<Object> = (0..UNITS.into()).map(object).collect();
    pool.release(promise);
    assert!(pool.store(&[1; 100], None).is_none(), "the pool is full");
    (pool, objects)
}

/// Makes passes until there is nothing left to move; returns how many did something.
fn move_all(pool: &Pool, objects: &mut [Object]) -> usize {
    let pass = || {
        let goes_on = pool.begin_evacuation();
        for object in objects.iter_mut().filter(|_| goes_on) {
            object.relocate(pool);
            assert!(pool.usage().used <= CHUNKS * CHUNK, "above the limit: {:?}", pool.usage());
        }
        pool.end_evacuation();
        goes_on.then_some(())
    };
    let passes = std::iter::repeat_with(pass).map_while(|pass| pass).take(100).count();
    assert!(passes < 100, "it does not end");
    passes
}

fn all_is_given_back(pool: &Pool, objects: Vec<Object>) {
    for object in objects {
        object.check(pool);
        pool.free(object.handle);
    }
    let usage = pool.usage();
    assert_eq!((usage.used, usage.occupied, usage.misfit), (0, 0, 0));
    assert_eq!(pool.spare_units(), UNITS.into(), "what was lent came back");
    assert!(pool.reserve(UNITS).map(|all| pool.release(all)).is_some());
    assert!(usage.peak <= CHUNKS * CHUNK);
}

/// Bytes of the slots that the objects need.
fn needed(pool: &Pool, objects: &[Object]) -> u64 {
    objects.iter().map(|object| pool.slot_len(object.len)).sum()
}

#[test]
fn objects_of_one_length_leave_a_full_pool() {
    let (pool, mut objects) = filled(|_| UNIT / 3);
    assert_eq!(pool.usage().misfit, u64::from(UNITS) * UNIT as u64, "all have too much");
    move_all(&pool, &mut objects);
    let usage = pool.usage();
    assert!(usage.used <= needed(&pool, &objects) + 2 * CHUNK, "{usage:?}");
    assert!(usage.misfit < CHUNK, "{usage:?}");
    // Two thirds are free again, and for whole units.
    assert!(pool.spare_units() > u64::from(UNITS) / 2, "{}", pool.spare_units());
    all_is_given_back(&pool, objects);
}

/// Few of each class: those of several share chunks.
#[test]
fn objects_of_all_lengths_leave_a_full_pool() {
    let (pool, mut objects) = filled(|id| 40 + id as usize * 797 % (UNIT / 2));
    move_all(&pool, &mut objects);
    let usage = pool.usage();
    assert!(usage.used < CHUNKS * CHUNK / 2, "a quarter is needed, {}: {usage:?}", needed(&pool, &objects));
    all_is_given_back(&pool, objects);
}

/// Some are whole units, and stay where they are.
#[test]
fn objects_leave_from_between_others() {
    let len = |id: u64| if id.is_multiple_of(3) { UNIT } else { 1000 };
    let (pool, mut objects) = filled(len);
    move_all(&pool, &mut objects);
    let usage = pool.usage();
    assert!(usage.used <= needed(&pool, &objects) + 3 * CHUNK, "{} {usage:?}", needed(&pool, &objects));
    all_is_given_back(&pool, objects);
}

/// Objects that are made smaller in a full pool take the slots of those that they replace.
#[test]
fn objects_leave_slots_of_other_classes() {
    let (pool, long, short) = (new_pool(), UNIT * 3 / 4, UNIT / 4);
    let store = |id| pool.store(&bytes(id, long), None).map(|handle| Object { handle, id, len: long });
    let objects: Vec<Object> = (0..).map_while(store).collect();
    assert!(pool.usage().used > (CHUNKS - 2) * CHUNK, "the pool is full: {:?}", pool.usage());
    let shorten = |Object { handle, id, .. }| {
        pool.free(handle);
        let handle = pool.store(&bytes(id, short), None).expect("the slot that was just freed");
        Object { handle, id, len: short }
    };
    let mut objects: Vec<Object> = objects.into_iter().map(shorten).collect();
    assert!(pool.usage().misfit > (CHUNKS - 2) * CHUNK, "they have too much: {:?}", pool.usage());
    move_all(&pool, &mut objects);
    let usage = pool.usage();
    assert!(usage.used <= needed(&pool, &objects) + 2 * CHUNK, "{} {usage:?}", needed(&pool, &objects));
    all_is_given_back(&pool, objects);
}

/// A few objects that could share no chunk with others are left alone, and passes end.
#[test]
fn few_objects_open_no_chunk() {
    let (pool, mut objects) = filled(|id| if id < 3 { 100 } else { UNIT });
    assert_eq!(move_all(&pool, &mut objects), 0);
    let moved = objects.iter_mut().filter_map(|object| object.relocate(&pool).then_some(())).count();
    assert_eq!((moved, pool.usage().used), (0, (CHUNKS - 1) * CHUNK));
    all_is_given_back(&pool, objects);
}

/// Of few chunks none is kept back, and what is lent when a limit falls comes back all the same.
#[test]
fn a_limit_changes_what_is_kept_back() {
    let pool = new_pool();
    for (chunks, usable) in [(112, 111), (16, 15), (15, 15), (1, 1), (15, 15), (16, 15), (112, 111)] {
        pool.set_limit(chunks * CHUNK);
        assert_eq!(pool.spare_units(), usable * 4, "of {chunks} chunks");
    }
    let (pool, mut objects) = filled(|_| UNIT / 3);
    pool.begin_evacuation();
    // The chunk that is kept back is opened for the first one.
    assert!(objects[0].relocate(&pool));
    pool.set_limit(CHUNK);
    objects.iter_mut().for_each(|object| _ = object.relocate(&pool));
    pool.end_evacuation();
    pool.set_limit(CHUNKS * CHUNK);
    move_all(&pool, &mut objects);
    all_is_given_back(&pool, objects);
}

type Table = [Mutex<Option<Object>>];

/// Threads read, free and store objects, with and without a promise, while another one moves them.
#[test]
fn objects_move_while_they_are_read_and_freed() {
    let (pool, objects) = filled(|id| if id.is_multiple_of(5) { UNIT } else { 60 + id as usize * 31 % 2000 });
    let table: Vec<_> = objects.into_iter().map(|object| Mutex::new(Some(object))).collect();
    let done = AtomicBool::new(false);
    let moved: usize = std::thread::scope(|scope| {
        let (pool, table, done) = (&pool, &table[..], &done);
        let others: Vec<_> = (1..4).map(|seed| scope.spawn(move || use_objects(pool, table, seed))).collect();
        let moves = scope.spawn(move || move_until(pool, table, done));
        others.into_iter().for_each(|thread| thread.join().expect("no assertion failed"));
        done.store(true, Ordering::Relaxed);
        moves.join().expect("no assertion failed")
    });
    assert!(moved > 0, "something moved");
    all_is_given_back(&pool, table.into_iter().filter_map(Mutex::into_inner).collect());
}

fn move_until(pool: &Pool, table: &Table, done: &AtomicBool) -> usize {
    let mut moved = 0;
    // Once in any case, though the others may be done by then.
    loop {
        pool.begin_evacuation();
        for slot in table {
            moved += usize::from(slot.lock().as_mut().is_some_and(|object| object.relocate(pool)));
            assert!(pool.usage().used <= CHUNKS * CHUNK, "above the limit: {:?}", pool.usage());
        }
        pool.end_evacuation();
        if done.load(Ordering::Relaxed) {
            return moved;
        }
    }
}

fn use_objects(pool: &Pool, table: &Table, seed: u64) {
    let mut random = Random(seed);
    for i in 0..if cfg!(miri) { 100 } else { 3000 } {
        let mut slot = table[random.below(table.len())].lock();
        slot.iter().for_each(|object| object.check(pool));
        if i % 3 != 0 {
            continue;
        }
        slot.take().into_iter().for_each(|object| pool.free(object.handle));
        let (id, len) = (seed << 32 | i, [UNIT, 1500, 700, 60][random.below(4)]);
        let mut promise = if i % 2 == 0 { pool.reserve(1) } else { None };
        let grant = promise.as_mut().and_then(|promise| promise.take_one());
        let kept = grant.is_some();
        let handle = pool.store(&bytes(id, len), grant);
        assert!(handle.is_some() || !kept, "a promise was broken");
        *slot = handle.map(|handle| Object { handle, id, len });
        promise.into_iter().for_each(|rest| pool.release(rest));
    }
}
