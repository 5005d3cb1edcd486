//! Everything that the fuzzers kept, again: each input once led somewhere that no other one did, or to a
//! bug that is fixed.

use std::path::Path;

fn replay(target: &str, fuzzer: fn(&[u8])) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut files: Vec<_> = std::fs::read_dir(&dir)
        .unwrap_or_else(|error| panic!("{}: {error}", dir.display()))
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", dir.display());
    for file in files {
        println!("{}", file.display());
        fuzzer(&std::fs::read(&file).expect("readable"));
    }
}

#[test]
fn lz4() {
    replay("lz4", ztera_fuzz::lz4);
}

#[test]
fn zstd() {
    replay("zstd", ztera_fuzz::zstd);
}

#[test]
fn deflate() {
    replay("deflate", ztera_fuzz::deflate);
}

#[test]
fn numbers() {
    replay("numbers", ztera_fuzz::numbers);
}

#[test]
fn frame() {
    replay("frame", ztera_fuzz::frame);
}

#[test]
fn abi() {
    replay("abi", ztera_fuzz::abi);
}

#[test]
fn nbd() {
    replay("nbd", ztera_fuzz::nbd);
}

#[test]
fn session() {
    replay("session", ztera_fuzz::session);
}
