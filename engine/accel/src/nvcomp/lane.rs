//! A stream of the GPU with memory for one batch.

use std::ffi::c_int;
use std::fmt;

use super::cuda::{Address, Cuda, Host, Memory, OwnStream};
use super::library::{Batch, Library};
use super::sizes::{BATCH, LARGEST};
use crate::answer::{Answer, Fault};
use crate::job::Job;

/// An error of the driver or of the library, by its number.
pub struct Error(c_int);

impl From<c_int> for Error {
    fn from(code: c_int) -> Error {
        Error(code)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the GPU has no room for a batch, or failed (error {})", self.0)
    }
}

/// Bytes of a length or an address in arrays for the library, and of a status.
const WORD: usize = 8;
const STATUS: usize = 4;
/// The alignment of outputs that the library wants.
const ALIGNED: usize = 256;

/// It belongs to the thread that opened it. Fields are dropped in this order: the stream is done before memory goes.
pub struct Lane<'c> {
    stream: OwnStream<'c>,
    library: &'c Library,
    level: u8,
    batch: Batch,
    /// Lengths of units, then the units, each at a multiple of [`LARGEST`].
    input: (Host<'c>, Memory<'c>),
    /// Lengths of outputs and statuses, then the outputs, each at a multiple of `most`.
    output: (Host<'c>, Memory<'c>),
    most: usize,
    _addresses: Memory<'c>,
    _temp: Memory<'c>,
}

/// Where units and outputs begin.
const UNITS: usize = BATCH * WORD;
const OUTPUTS: usize = (BATCH * (WORD + STATUS)).next_multiple_of(ALIGNED);

impl<'c> Lane<'c> {
    /// Takes memory.
    pub fn open(cuda: &'c Cuda, library: &'c Library, level: u8) -> Result<Lane<'c>, Error> {
        let stream = cuda.stream()?;
        let most = library.most_output(level)?.next_multiple_of(ALIGNED);
        let temp_len = library.temp_size(BATCH, level, stream.get())?;
        let pair = |len: usize| -> Result<_, c_int> { Ok((cuda.host(len)?, cuda.memory(len)?)) };
        let input = pair(UNITS + BATCH * LARGEST)?;
        let output = pair(OUTPUTS + BATCH * most)?;
        let (addresses, temp) = (cuda.memory(2 * BATCH * WORD)?, cuda.memory(temp_len.max(1))?);
        let at = |memory: &Memory<'_>, offset: usize| memory.address + offset as Address;
        let of_units = (0..BATCH).map(|unit| at(&input.1, UNITS + unit * LARGEST));
        let of_outputs = (0..BATCH).map(|unit| at(&output.1, OUTPUTS + unit * most));
        let mut table = cuda.host(2 * BATCH * WORD)?;
        for (cell, address) in table.bytes_mut().chunks_exact_mut(WORD).zip(of_units.chain(of_outputs)) {
            cell.copy_from_slice(&address.to_ne_bytes());
        }
        stream.to_device(&addresses, &table, 2 * BATCH * WORD)?;
        stream.wait()?;
        let batch = Batch {
            inputs: at(&addresses, 0),
            input_lens: at(&input.1, 0),
            outputs: at(&addresses, BATCH * WORD),
            output_lens: at(&output.1, 0),
            statuses: at(&output.1, BATCH * WORD),
            temp: at(&temp, 0),
            temp_len,
        };
        Ok(Lane { stream, library, level, batch, input, output, most, _addresses: addresses, _temp: temp })
    }

    /// Compresses a batch, and answers each job.
    pub fn serve(&mut self, jobs: Vec<Job>) {
        let (jobs, others): (Vec<Job>, Vec<Job>) =
            jobs.into_iter().partition(|job| job.input().len() <= LARGEST);
        others.into_iter().for_each(|job| job.finish(Err(Fault::TooLong)));
        match self.compress(&jobs) {
            Ok(()) => jobs.into_iter().enumerate().for_each(|(unit, job)| self.answer(unit, job)),
            Err(_) => jobs.into_iter().for_each(|job| job.finish(Err(Fault::Error))),
        }
    }

    /// Leaves lengths, statuses and outputs in the host's memory.
    fn compress(&mut self, jobs: &[Job]) -> Result<(), c_int> {
        let (host, memory) = &mut self.input;
        for (unit, job) in jobs.iter().enumerate() {
            let len = job.input().len();
            host.bytes_mut()[unit * WORD..][..WORD].copy_from_slice(&len.to_ne_bytes());
            host.bytes_mut()[UNITS + unit * LARGEST..][..len].copy_from_slice(job.input());
        }
        self.stream.to_device(memory, host, UNITS + jobs.len() * LARGEST)?;
        self.library.compress(self.batch, jobs.len(), self.level, self.stream.get())?;
        self.stream.to_host(&mut self.output.0, &self.output.1, 0, OUTPUTS)?;
        self.stream.wait()?;
        for unit in 0..jobs.len() {
            let len = self.len(unit).min(self.most);
            self.stream.to_host(&mut self.output.0, &self.output.1, OUTPUTS + unit * self.most, len)?;
        }
        self.stream.wait()
    }

    fn answer(&self, unit: usize, mut job: Job) {
        let len = self.len(unit);
        let status = &self.output.0.bytes()[BATCH * WORD + unit * STATUS..][..STATUS];
        let made = match job.buffers_mut().1.get_mut(..len) {
            _ if status != [0; STATUS] || len > self.most => Err(Fault::Error),
            None => Err(Fault::TooLong),
            Some(to) => {
                to.copy_from_slice(&self.output.0.bytes()[OUTPUTS + unit * self.most..][..len]);
                Ok(Answer { len, sums: None })
            }
        };
        job.finish(made);
    }

    /// Of an output.
    fn len(&self, unit: usize) -> usize {
        let word = &self.output.0.bytes()[unit * WORD..][..WORD];
        usize::from_ne_bytes(word.try_into().expect("a word"))
    }
}
