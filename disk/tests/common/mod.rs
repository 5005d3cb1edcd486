// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Devices for tests, and bytes to write to them.

#![allow(dead_code, reason = "each test uses some of it")]

use std::process::Command;
use std::sync::Arc;

use bytes::Bytes;
use ztera_codec::Settings;
use ztera_disk::{Config, Denser, Device, Service};
use ztera_store::{SsdConfig, UnitSize};

pub const KIB: usize = 1 << 10;
pub const MIB: usize = 1 << 20;

/// A device of `size` bytes without an SSD tier.
pub fn config(size: usize, unit: usize, memory_limit: Option<usize>) -> Config {
    Config {
        size: size as u64,
        unit: UnitSize::new(unit).expect("a unit's size"),
        memory_limit: memory_limit.map(|limit| limit as u64),
        codec: Settings::default(),
        denser: Denser::default(),
        threads: 2,
        ssd: None,
        accelerator: None,
    }
}

/// The same with an SSD tier in a folder.
pub fn with_ssd(mut config: Config, dir: &std::path::Path, limit: usize) -> Config {
    config.ssd = Some(SsdConfig { limit: Some(limit as u64), ..SsdConfig::new(dir) });
    config
}

pub fn service(config: Config) -> Arc<Service> {
    Arc::new(Service::start(Device::new(config).expect("a device"), 2).expect("threads"))
}

/// Bytes that depend on the seed; of each 8, `random` are random: 0 compresses best, 8 not at all.
pub fn bytes(seed: u64, len: usize, random: usize) -> Vec<u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut bytes = vec![seed as u8; len];
    for word in bytes.chunks_mut(8) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        let random = random.min(word.len());
        word[..random].copy_from_slice(&x.to_le_bytes()[..random]);
    }
    bytes
}

/// Words in an order that depends on the seed. No filter does better than a codec, and zstd does better than lz4.
pub fn text(seed: u64, len: usize) -> Bytes {
    const WORDS: [&str; 8] = ["page ", "unit ", "compressed ", "memory ", "of ", "the ", "pool ", "and "];
    let text = bytes(seed, len, 8).into_iter().flat_map(|byte| WORDS[usize::from(byte % 8)].bytes());
    text.take(len).collect()
}

/// Runs a program to its end; its standard output. Panics with all it said if it fails.
pub fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap_or_else(|e| panic!("{program}: {e}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}\n{}{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// Whether all of these programs are installed; else says on the terminal, captured or not, what is not tested.
pub fn are_installed(programs: &[&str], package: &str) -> bool {
    let is_there = |program: &&str| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&path).any(|dir| dir.join(program).is_file())
    };
    let missing: Vec<_> = programs.iter().filter(|program| !is_there(program)).collect();
    if !missing.is_empty() {
        skipped(&format!("{missing:?} missing: install the package {package} (`make disk-clients`)"));
    }
    missing.is_empty()
}

/// Says that the test has not looked at what it is for.
pub fn skipped(why: &str) {
    use std::io::Write;
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    // Not by eprintln!, which the test harness hides where nothing fails.
    let _ = writeln!(std::io::stderr(), "SKIPPED, not tested: {test}: {why}");
}
