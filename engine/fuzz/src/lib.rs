//! Uses of arbitrary bytes. Each function here is a fuzzer (`fuzzers/`), and is run with its
//! kept inputs (`corpus/`) by ordinary tests.

mod abi;
mod decode;
mod nbd;
mod session;

pub use abi::abi;
pub use decode::{deflate, frame, lz4, numbers, zstd};
pub use nbd::nbd;
pub use session::session;
