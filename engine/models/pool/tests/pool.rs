//! The pool in many interleavings.

use std::sync::{Arc, Mutex};

use shuttle::rand::{Rng, thread_rng};
use shuttle::thread;
use ztera_pool_shuttle::{Config, Handle, Pool, Reservation};
use ztera_sync::explore;

const UNIT: usize = 4096;
const CHUNK: u64 = 4 * UNIT as u64;

type Object = (Handle, u8, usize);

fn free_checked(pool: &Pool, (handle, byte, len): Object) {
    assert!(pool.read(&handle)[..len].iter().all(|&b| b == byte), "somebody else's bytes");
    pool.free(handle);
}

/// Threads store objects of a few sizes, with and without a promise, and free their own and others'.
/// No two objects share memory, no promise is broken, everything is given back.
///
/// Caught: a promise given back twice.
#[test]
fn threads_share_two_chunks() {
    explore(300, || {
        // Ten threads' worth of shards, so that the two threads have different ones.
        let pool = Arc::new(Pool::new(Config { unit_len: UNIT, limit: 2 * CHUNK, threads: 10 }).unwrap());
        let exchange = Arc::new(Mutex::new(Vec::new()));
        let threads: Vec<_> = (0..3_u8)
            .map(|id| {
                let (pool, exchange) = (pool.clone(), exchange.clone());
                thread::spawn(move || churn(&pool, &exchange, id))
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no assertion failed"));
        exchange.lock().unwrap().drain(..).for_each(|object| free_checked(&pool, object));
        assert_eq!((pool.usage().used, pool.spare_units()), (0, 8));
    });
}

fn churn(pool: &Pool, exchange: &Mutex<Vec<Object>>, id: u8) {
    let mut random = thread_rng();
    let mut own = Vec::new();
    for i in 0..6 {
        let byte = 1 + id * 50 + i;
        let len = [60, 2000, 2040, UNIT][random.gen_range(0..4)];
        let mut promise = if random.r#gen() { pool.reserve(1) } else { None };
        let grant = promise.as_mut().and_then(Reservation::take_one);
        let kept = grant.is_some();
        match pool.store(&vec![byte; len], grant) {
            Some(handle) if random.r#gen() => exchange.lock().unwrap().push((handle, byte, len)),
            Some(handle) => own.push((handle, byte, len)),
            None => assert!(!kept, "a promise was broken"),
        }
        promise.into_iter().for_each(|rest| pool.release(rest));
        let other = if random.r#gen() { exchange.lock().unwrap().pop() } else { own.pop() };
        other.into_iter().for_each(|object| free_checked(pool, object));
    }
    own.into_iter().for_each(|object| free_checked(pool, object));
}

/// All chunks are in use, and raw ones have as many free slots as a chunk: one thread looks for a chunk and finds none,
/// while another needs one of the slots, and must get it.
#[test]
fn slots_are_not_taken_for_a_chunk_that_there_is_not() {
    explore(300, || {
        let pool = Arc::new(Pool::new(Config { unit_len: UNIT, limit: 3 * CHUNK, threads: 10 }).unwrap());
        let raw: Vec<_> = (0..8).map(|_| pool.store(&[1; UNIT], None).expect("room")).collect();
        let packed: Vec<_> = std::iter::from_fn(|| pool.store(&[2; 2000], None)).collect();
        let (kept, free): (Vec<_>, Vec<_>) = raw.into_iter().enumerate().partition(|(i, _)| i % 2 == 0);
        free.into_iter().for_each(|(_, handle)| pool.free(handle));
        assert_eq!(pool.spare_units(), 4);
        let threads = [2000, UNIT].map(|len| {
            let pool = pool.clone();
            thread::spawn(move || pool.store(&vec![3; len], None).expect("there is room"))
        });
        let new = threads.map(|thread| thread.join().expect("no assertion failed"));
        let kept = kept.into_iter().map(|(_, handle)| handle);
        kept.chain(packed).chain(new).for_each(|handle| pool.free(handle));
        assert_eq!((pool.usage().used, pool.spare_units()), (0, 12));
    });
}

/// A table of objects, each with an owner's lock, which is held meanwhile.
type Table = Vec<shuttle::sync::Mutex<Option<Object>>>;

fn evacuate(pool: &Pool, table: &Table) {
    pool.begin_evacuation();
    for slot in table {
        let mut slot = slot.lock().unwrap();
        if let Some((handle, ..)) = slot.as_mut().filter(|(handle, ..)| pool.should_move(handle.bits())) {
            let new = pool.relocate(handle);
            new.into_iter().for_each(|new| pool.free_moved(std::mem::replace(handle, new)));
        }
    }
    pool.end_evacuation();
}

fn replace(pool: &Pool, table: &Table, id: u8) {
    let mut random = thread_rng();
    for i in 0..6 {
        let mut slot = table[random.gen_range(0..table.len())].lock().unwrap();
        slot.take().into_iter().for_each(|object| free_checked(pool, object));
        let (byte, len) = (1 + id * 50 + i, [2000, UNIT][random.gen_range(0..2)]);
        *slot = pool.store(&vec![byte; len], None).map(|handle| (handle, byte, len));
    }
}

/// A thread empties chunks while others free and store objects, also in the very chunks that are being emptied, as
/// there are few others. Each shard's lists stay whole, and all memory is given back.
///
/// Caught: a copy that nobody pays a raw slot for.
#[test]
fn chunks_are_emptied_while_objects_come_and_go() {
    explore(300, || {
        let pool = Arc::new(Pool::new(Config { unit_len: UNIT, limit: 8 * CHUNK, threads: 10 }).unwrap());
        let object = |i: u8| {
            let len = if i.is_multiple_of(2) { UNIT } else { 2000 };
            // Every third place is free: both classes have holes.
            let handle = pool.store(&vec![i; len], None).expect("room");
            shuttle::sync::Mutex::new(Some((handle, i, len)))
        };
        let table: Arc<Table> = Arc::new((1..25).map(object).collect());
        table.iter().step_by(3).for_each(|slot| free_checked(&pool, slot.lock().unwrap().take().unwrap()));
        let mut threads: Vec<_> = (0..2)
            .map(|id| {
                let (pool, table) = (pool.clone(), table.clone());
                thread::spawn(move || replace(&pool, &table, id))
            })
            .collect();
        threads.push({
            let (pool, table) = (pool.clone(), table.clone());
            thread::spawn(move || evacuate(&pool, &table))
        });
        threads.into_iter().for_each(|thread| thread.join().expect("no assertion failed"));
        table.iter().filter_map(|slot| slot.lock().unwrap().take()).for_each(|o| free_checked(&pool, o));
        assert_eq!((pool.usage().used, pool.spare_units()), (0, 32));
    });
}

/// A pool of which all was promised to short objects. While a thread moves them to smaller slots, others read them, free
/// them and take what becomes free, also for whole units: the pool stays within its limit and keeps its promises, and
/// what was lent for the first chunk comes back.
///
/// Caught: a loan that is not paid back; a short object that is freed and still counted.
#[test]
fn short_objects_leave_a_full_pool() {
    explore(60, || {
        const UNITS: u32 = 15 * 4;
        let pool = Arc::new(Pool::new(Config { unit_len: UNIT, limit: 16 * CHUNK, threads: 10 }).unwrap());
        let mut promise = pool.reserve(UNITS).expect("all but one chunk");
        let object = |i: u32| {
            let (len, byte) = ([1000, 1100, UNIT][i as usize % 3], i as u8);
            let handle = pool.store(&vec![byte; len], promise.take_one()).expect("it was promised");
            shuttle::sync::Mutex::new(Some((handle, byte, len)))
        };
        let table: Arc<Table> = Arc::new((0..UNITS).map(object).collect());
        pool.release(promise);
        assert!(pool.store(&[1; 60], None).is_none(), "the pool is full");
        let exchange = Arc::new(Mutex::new(Vec::new()));
        let threads: Vec<_> = (0..3)
            .map(|id| {
                let (pool, table, exchange) = (pool.clone(), table.clone(), exchange.clone());
                thread::spawn(move || match id {
                    0 => (0..2).for_each(|_| evacuate(&pool, &table)),
                    1 => replace(&pool, &table, id),
                    _ => churn(&pool, &exchange, id),
                })
            })
            .collect();
        threads.into_iter().for_each(|thread| thread.join().expect("no assertion failed"));
        // These are in no table, so that nobody could move them.
        exchange.lock().unwrap().drain(..).for_each(|object| free_checked(&pool, object));
        (0..4).for_each(|_| evacuate(&pool, &table));
        assert!(
            pool.usage().used <= 13 * CHUNK,
            "a third is whole units, the rest a quarter: {:?}",
            pool.usage()
        );
        table.iter().filter_map(|slot| slot.lock().unwrap().take()).for_each(|o| free_checked(&pool, o));
        let usage = pool.usage();
        assert_eq!((usage.used, usage.misfit, pool.spare_units()), (0, 0, UNITS.into()));
        assert!(usage.peak <= 16 * CHUNK);
    });
}
