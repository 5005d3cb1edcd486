//! Writes down which units the program touches: for the simulator, `engine/sim`, that tries policies on it.
//!
//! Only faults are seen. So a range that is traced keeps next to nothing resident, and reads nothing ahead: then
//! nearly every change of unit is a fault. Not seen are touches of the few units that are resident, writes to a
//! unit behind the first one since it was mapped, and which of two threads came first when both are waiting.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use ztera_store::{UnitIndex, UnitSize, Units};
use ztera_sync::Mutex;
use ztera_trace::{Encoder, Event, Header};

/// A trace that is being recorded.
pub(crate) struct Recorder(Mutex<State>);

struct State {
    /// `None` after it could not be written to.
    file: Option<File>,
    buffer: Vec<u8>,
    encoder: Encoder,
    /// The size that was last written down of each unit.
    sizes: Vec<u32>,
}

/// Bytes that are written at once. The host of a range may end without closing it: so much is lost then, at most.
const BUFFER: usize = 64 << 10;

impl Recorder {
    /// Makes `file`, which must not exist, for a range of so many units.
    pub fn create(file: &Path, unit: UnitSize, units: u32) -> io::Result<Self> {
        let file = File::create_new(file)?;
        let buffer = Header { unit_len: unit.bytes() as u32, units }.bytes().to_vec();
        let sizes = vec![u32::MAX; units as usize];
        Ok(Self(Mutex::new(State { file: Some(file), buffer, encoder: Encoder::default(), sizes })))
    }

    /// The program faults on `unit`, which takes `len` bytes when it is compressed.
    pub fn touched(&self, unit: UnitIndex, write: bool, len: Option<u64>) {
        let mut state = self.0.lock();
        if let Some(len) = len {
            state.note_size(unit, len as u32);
        }
        state.push(if write { Event::Write(unit.0) } else { Event::Read(unit.0) });
    }

    /// `unit` came from the SSD, where it takes `len` bytes. Those that do not compress are only there: without them, a trace
    /// would tell of units that all compress.
    pub fn measured(&self, unit: UnitIndex, len: u64) {
        self.0.lock().note_size(unit, len as u32);
    }

    /// The program gives `units` new contents.
    pub fn submitted(&self, units: Units) {
        self.0.lock().push(Event::Submit { first: units.first.0, count: units.count() });
    }

    /// The program gives `units` up.
    pub fn discarded(&self, units: Units) {
        self.0.lock().push(Event::Discard { first: units.first.0, count: units.count() });
    }

    /// An epoch ends. So a trace is in its file up to the last one at least.
    pub fn epoch(&self) {
        let mut state = self.0.lock();
        state.push(Event::Epoch);
        state.flush();
    }
}

impl State {
    fn note_size(&mut self, unit: UnitIndex, bytes: u32) {
        let known = &mut self.sizes[unit.0 as usize];
        if *known != bytes {
            *known = bytes;
            self.push(Event::Size { unit: unit.0, bytes });
        }
    }

    fn push(&mut self, event: Event) {
        self.encoder.push(event, &mut self.buffer);
        if self.buffer.len() >= BUFFER {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if let Some(file) = &mut self.file
            && let Err(error) = file.write_all(&self.buffer)
        {
            ztera_log::say(format_args!("the trace ends here: {error}"));
            self.file = None;
        }
        self.buffer.clear();
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        self.0.lock().flush();
    }
}
