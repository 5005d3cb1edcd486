//! The pool in many interleavings.

use std::sync::{Arc, Mutex};

use shuttle::rand::{Rng, thread_rng};
use shuttle::thread;
use ztera_pool_shuttle::{Config, Handle, Pool, Reservation};
use ztera_sync::explore;

const UNIT: usize = 4096;
const CHUNK: u64 = 16 * UNIT as u64;

type Object = (Handle, u8, usize);

fn free_checked(pool: &Pool, (handle, byte, len): Object) {
    assert!(pool.read(&handle)[..len].iter().all(|&b| b == byte), "somebody else's bytes");
    pool.free(handle);
}

/// Threads store objects of a few sizes, with and without a promise, and free their own and others'.
/// No two objects share memory, no promise is broken, everything is given back.
///
/// Caught: a promise given back twice; a raw slot refunded before it is free (two then share one that
/// there is not).
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
        assert_eq!((pool.usage().used, pool.spare_units()), (0, 32));
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

/// A thread adopts a chunk of another shard while the last object in it is freed.
///
/// Caught: a chunk adopted without taking its owner away first, and an owner that is not looked at again
/// once its lock is held: whoever frees then takes the chunk out of a list that it is not in.
#[test]
fn a_chunk_is_adopted_while_it_empties() {
    const LEN: usize = 3500;
    explore(400, || {
        let pool = Arc::new(Pool::new(Config { unit_len: UNIT, limit: 4 * CHUNK, threads: 10 }).unwrap());
        let store = |pool: &Pool, byte: u8| (pool.store(&[byte; LEN], None).expect("room"), byte, LEN);
        // Two full chunks; then one object less in the first, and only one left in the second.
        let mut first: Vec<_> = (0..17).map(|_| store(&pool, 1)).collect();
        let mut second: Vec<_> = (0..17).map(|_| store(&pool, 2)).collect();
        assert_eq!(pool.usage().used, 2 * CHUNK);
        free_checked(&pool, first.pop().unwrap());
        second.drain(1..).for_each(|object| free_checked(&pool, object));
        let adopts = {
            let pool = pool.clone();
            thread::spawn(move || [3, 4].map(|byte| store(&pool, byte)))
        };
        let frees = {
            let (pool, last) = (pool.clone(), second.pop().unwrap());
            thread::spawn(move || free_checked(&pool, last))
        };
        let adopted = adopts.join().expect("no assertion failed");
        frees.join().expect("no assertion failed");
        first.into_iter().chain(adopted).for_each(|object| free_checked(&pool, object));
        assert_eq!((pool.usage().used, pool.spare_units()), (0, 64));
    });
}
