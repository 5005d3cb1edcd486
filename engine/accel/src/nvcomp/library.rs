//! nvCOMP's functions for deflate in batches, as version 6 has them.

use std::ffi::c_int;
use std::io;

use super::cuda::{Address, Stream, missing};
use super::sizes::LARGEST;

/// `nvcompBatchedDeflateCompressOpts_t`.
#[derive(Clone, Copy)]
#[repr(C)]
struct Options {
    algorithm: c_int,
    reserved: [u8; 60],
}

type TempSize = unsafe extern "C" fn(usize, usize, Options, *mut usize, usize, Stream) -> c_int;
type MostOutput = unsafe extern "C" fn(usize, Options, *mut usize) -> c_int;
type Compress = unsafe extern "C" fn(
    Address,
    Address,
    usize,
    usize,
    Address,
    usize,
    Address,
    Address,
    Options,
    Address,
    Stream,
) -> c_int;

/// The library, which lives as long as its functions.
pub struct Library {
    temp_size: TempSize,
    most_output: MostOutput,
    compress: Compress,
    _library: libloading::Library,
}

/// A batch in the GPU's memory: arrays with an element for each unit, and room for the library.
#[derive(Clone, Copy)]
pub struct Batch {
    /// Of addresses of units, and of their lengths.
    pub inputs: Address,
    pub input_lens: Address,
    /// Of addresses of outputs, and of their lengths.
    pub outputs: Address,
    pub output_lens: Address,
    /// Of `nvcompStatus_t`.
    pub statuses: Address,
    /// Room, and its bytes.
    pub temp: Address,
    pub temp_len: usize,
}

impl Library {
    /// The library, or what is missing.
    pub fn load(name: &str) -> io::Result<Library> {
        let why = |error| missing(name, "PyPI: nvidia-libnvcomp-cu12", &error);
        // SAFETY: the library's initialisers are those of a library that the user asked for.
        let library = unsafe { libloading::Library::new(name) }.map_err(why)?;
        // SAFETY: the names' types are those of nvcomp/deflate.h; an address of the GPU is a pointer there.
        unsafe {
            Ok(Library {
                temp_size: *library.get(c"nvcompBatchedDeflateCompressGetTempSize").map_err(why)?,
                most_output: *library
                    .get(c"nvcompBatchedDeflateCompressGetMaxOutputChunkSize")
                    .map_err(why)?,
                compress: *library.get(c"nvcompBatchedDeflateCompressAsync").map_err(why)?,
                _library: library,
            })
        }
    }

    /// Bytes of room that a batch of so many of the largest units takes.
    pub fn temp_size(&self, units: usize, level: u8, stream: Stream) -> Result<usize, c_int> {
        let mut bytes = 0;
        // SAFETY: the result is written to a number of its type; nothing else is touched.
        let code = unsafe {
            (self.temp_size)(units, LARGEST, options(level), &raw mut bytes, units * LARGEST, stream)
        };
        if code == 0 { Ok(bytes) } else { Err(code) }
    }

    /// The most bytes that the largest unit may become.
    pub fn most_output(&self, level: u8) -> Result<usize, c_int> {
        let mut bytes = 0;
        // SAFETY: as above.
        let code = unsafe { (self.most_output)(LARGEST, options(level), &raw mut bytes) };
        if code == 0 { Ok(bytes) } else { Err(code) }
    }

    /// Has the GPU compress the first `units` of a batch. The results are there once the stream is.
    pub fn compress(&self, batch: Batch, units: usize, level: u8, stream: Stream) -> Result<(), c_int> {
        let Batch { inputs, input_lens, outputs, output_lens, statuses, temp, temp_len } = batch;
        // SAFETY: a lane gives arrays of BATCH elements, outputs with room for what the library names as most, and as
        // much further room as it asked for. The lane frees none of it before the stream is done.
        let code = unsafe {
            (self.compress)(
                inputs,
                input_lens,
                LARGEST,
                units,
                temp,
                temp_len,
                outputs,
                output_lens,
                options(level),
                statuses,
                stream,
            )
        };
        if code == 0 { Ok(()) } else { Err(code) }
    }
}

fn options(level: u8) -> Options {
    Options { algorithm: c_int::from(level), reserved: [0; 60] }
}
