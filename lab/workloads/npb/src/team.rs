// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Threads that share a loop.

use std::ops::Range;
use std::thread;

/// So many threads. They start and end with each loop.
#[derive(Clone, Copy, Debug)]
pub struct Team(pub usize);

impl Team {
    /// Calls `work` with a part of `0..total` per thread, and returns the results in order.
    pub fn split<R: Send>(self, total: usize, work: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
        let each = total.div_ceil(self.0.max(1)).max(1);
        let parts = (0..total).step_by(each).map(|first| first..(first + each).min(total));
        if self.0 <= 1 {
            return parts.map(work).collect();
        }
        let work = &work;
        thread::scope(|scope| {
            let threads: Vec<_> = parts.map(|part| scope.spawn(move || work(part))).collect();
            threads.into_iter().map(|thread| thread.join().expect("a kernel does not panic")).collect()
        })
    }

    /// Calls `work` with each whole chunk of `data` and its number.
    pub fn chunks<T: Send>(self, data: &mut [T], chunk: usize, work: impl Fn(usize, &mut [T]) + Sync) {
        if self.0 <= 1 {
            return data.chunks_exact_mut(chunk).enumerate().for_each(|(number, chunk)| work(number, chunk));
        }
        let each = (data.len() / chunk).div_ceil(self.0).max(1);
        let work = &work;
        thread::scope(|scope| {
            for (thread, part) in data.chunks_mut(each * chunk).enumerate() {
                scope.spawn(move || {
                    let chunks = part.chunks_exact_mut(chunk).enumerate();
                    chunks.for_each(|(number, chunk)| work(thread * each + number, chunk));
                });
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_there_is() {
        for threads in [1, 2, 3, 7] {
            let sum: usize = Team(threads).split(100, |part| part.sum::<usize>()).iter().sum();
            assert_eq!(sum, 4950);
            let mut data = [0; 30];
            Team(threads).chunks(&mut data, 3, |number, chunk| chunk.fill(number));
            assert!(data.iter().enumerate().all(|(index, value)| *value == index / 3), "{threads}: {data:?}");
        }
    }
}
