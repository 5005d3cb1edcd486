// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Threads that share what has to be written.

use std::thread;

use anyhow::Result;
use ztera_machine::interrupt;

/// The part of each of `writers`: offset and length, whole blocks but for the last. There may be fewer parts.
fn parts(len: usize, block: usize, writers: usize) -> Vec<(usize, usize)> {
    let each = len.div_ceil(block).div_ceil(writers.max(1)).max(1) * block;
    (0..len).step_by(each).map(|offset| (offset, each.min(len - offset))).collect()
}

/// Calls `write` with the offset and the bytes of each block of `bytes`, from several threads; a single one is the
/// calling thread.
pub fn write_blocks(
    bytes: &[u8],
    block: usize,
    writers: usize,
    write: impl Fn(usize, &[u8]) -> Result<()> + Sync,
) -> Result<()> {
    let write_part = |(offset, len): (usize, usize)| {
        let blocks = bytes[offset..offset + len].chunks(block).enumerate();
        blocks.into_iter().try_for_each(|(i, bytes)| {
            interrupt::check()?;
            write(offset + i * block, bytes)
        })
    };
    let parts = parts(bytes.len(), block, writers);
    let [_, others @ ..] = parts.as_slice() else { return Ok(()) };
    thread::scope(|scope| {
        let write_part = &write_part;
        let others: Vec<_> = others.iter().map(|&part| scope.spawn(move || write_part(part))).collect();
        let own = write_part(parts[0]);
        let joined = others.into_iter().map(|thread| thread.join().expect("a writer does not panic"));
        joined.fold(own, Result::and)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn parts_are_whole_blocks_and_all_there_is() {
        assert_eq!(parts(100, 10, 3), [(0, 40), (40, 40), (80, 20)]);
        assert_eq!(parts(25, 10, 1), [(0, 25)]);
        assert_eq!(parts(10, 10, 4), [(0, 10)]);
        assert_eq!(parts(0, 10, 4), []);
    }

    #[test]
    fn each_block_is_written_once() {
        let bytes: Vec<u8> = (0..=99).collect();
        let seen = Mutex::new(vec![0; 100]);
        let write = |offset: usize, block: &[u8]| {
            seen.lock().unwrap()[offset..offset + block.len()].copy_from_slice(block);
            Ok(())
        };
        write_blocks(&bytes, 8, 3, write).unwrap();
        assert_eq!(*seen.lock().unwrap(), bytes);
    }

    #[test]
    fn an_error_of_any_writer_is_told() {
        let write = |offset: usize, _: &[u8]| if offset == 90 { anyhow::bail!("full") } else { Ok(()) };
        assert!(write_blocks(&[0; 100], 10, 2, write).is_err());
    }
}
