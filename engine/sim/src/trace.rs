//! A trace in memory: steps of one unit each, and the sizes of the units.

use std::fmt;

use ztera_store::UnitIndex;
use ztera_trace::{Encoder, Event, Events, Header, Malformed};

/// A program's access to one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It read from it or, `write`, wrote to it.
    Touch {
        /// The unit.
        unit: UnitIndex,
        /// Whether it was changed.
        write: bool,
    },
    /// It gave it new contents, past mapped memory.
    Submit(UnitIndex),
    /// It gave it up.
    Discard(UnitIndex),
    /// To no unit: an epoch ended.
    Epoch,
}

/// A trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Bytes of a unit.
    pub unit_len: u64,
    /// Bytes that each unit of the range takes when it is compressed; 0 = it repeats one word, `unit_len` = it does
    /// not compress.
    pub sizes: Vec<u64>,
    /// The event.
    pub steps: Vec<Step>,
}

/// A trace that cannot be used.
#[derive(Debug)]
pub enum Error {
    /// It is none.
    Malformed(Malformed),
    /// It was compressed by zstd, and cannot be decompressed.
    Zstd,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(malformed) => malformed.fmt(f),
            Self::Zstd => f.write_str("cannot be decompressed"),
        }
    }
}

impl std::error::Error for Error {}

/// The part of its length that a unit is taken to compress to, if the trace has no sizes at all.
const ASSUMED_RATIO: u64 = 3;

/// The bytes that the units of a trace take when most of them have contents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Units with contents.
    pub units: u64,
    /// Their bytes, not compressed.
    pub bytes: u64,
    /// Their bytes, compressed.
    pub compressed: u64,
}

impl Trace {
    /// The trace of a file, which may be compressed by zstd.
    pub fn read(file: &[u8]) -> Result<Self, Error> {
        if file.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
            return Self::read_plain(&unzstd(file).ok_or(Error::Zstd)?).map_err(Error::Malformed);
        }
        Self::read_plain(file).map_err(Error::Malformed)
    }

    fn read_plain(file: &[u8]) -> Result<Self, Malformed> {
        let events = Events::new(file)?;
        let Header { unit_len, units } = events.header();
        let mut known = Sizes::new(units);
        let mut steps = Vec::new();
        // So that a discard of a whole region is as many steps as it had units.
        let mut live = vec![false; units as usize];
        for event in events {
            let of_all = |first: u32, count: u32| (first..first + count).map(UnitIndex);
            match event? {
                Event::Read(unit) => steps.push(Step::Touch { unit: UnitIndex(unit), write: false }),
                Event::Write(unit) => {
                    live[unit as usize] = true;
                    steps.push(Step::Touch { unit: UnitIndex(unit), write: true });
                }
                Event::Submit { first, count } => of_all(first, count).for_each(|unit| {
                    live[unit.0 as usize] = true;
                    steps.push(Step::Submit(unit));
                }),
                Event::Discard { first, count } => of_all(first, count).for_each(|unit| {
                    if std::mem::take(&mut live[unit.0 as usize]) {
                        steps.push(Step::Discard(unit));
                    }
                }),
                Event::Epoch => steps.push(Step::Epoch),
                Event::Size { unit, bytes } => known.add(unit, bytes),
            }
        }
        Ok(Self { unit_len: unit_len.into(), sizes: known.means(unit_len.into()), steps })
    }

    /// The trace as a file.
    pub fn bytes(&self) -> Vec<u8> {
        let header = Header { unit_len: self.unit_len as u32, units: self.sizes.len() as u32 };
        let mut bytes = header.bytes().to_vec();
        let mut encoder = Encoder::default();
        let mut sized = vec![false; self.sizes.len()];
        for &step in &self.steps {
            let event = match step {
                Step::Touch { unit, write: false } => Event::Read(unit.0),
                Step::Touch { unit, write: true } => Event::Write(unit.0),
                Step::Submit(unit) => Event::Submit { first: unit.0, count: 1 },
                Step::Discard(unit) => Event::Discard { first: unit.0, count: 1 },
                Step::Epoch => Event::Epoch,
            };
            if let Some(unit) = step.unit()
                && !std::mem::replace(&mut sized[unit.0 as usize], true)
            {
                let size = Event::Size { unit: unit.0, bytes: self.sizes[unit.0 as usize] as u32 };
                encoder.push(size, &mut bytes);
            }
            encoder.push(event, &mut bytes);
        }
        bytes
    }

    /// The events of about one unit of `one_in`, chosen by a hash, so that the choice has nothing to do with what
    /// happens to it. Memory has to shrink in the same proportion (Waldspurger and others, SHARDS, FAST 2015).
    pub fn sample(&self, one_in: u64) -> Self {
        let chosen = |unit: UnitIndex| hash(unit.0.into()).is_multiple_of(one_in);
        let steps = self.steps.iter().filter(|step| step.unit().is_none_or(chosen));
        Self { steps: steps.copied().collect(), ..self.clone() }
    }

    /// Touches in it.
    pub fn touches(&self) -> u64 {
        self.steps.iter().filter(|step| matches!(step, Step::Touch { .. })).count() as u64
    }

    /// The most that its units take at any time.
    pub fn footprint(&self) -> Footprint {
        let mut live = vec![false; self.sizes.len()];
        let (mut now, mut most) = (Footprint::default(), Footprint::default());
        for &step in &self.steps {
            let (unit, lives) = match step {
                Step::Submit(unit) | Step::Touch { unit, write: true } => (unit, true),
                Step::Discard(unit) => (unit, false),
                Step::Touch { write: false, .. } | Step::Epoch => continue,
            };
            let size = self.sizes[unit.0 as usize];
            match (std::mem::replace(&mut live[unit.0 as usize], lives), lives) {
                (false, true) => now = now.with(self.unit_len, size),
                (true, false) => now = now.without(self.unit_len, size),
                _ => {}
            }
            if now.compressed > most.compressed {
                most = now;
            }
        }
        most
    }
}

impl Footprint {
    fn with(self, unit_len: u64, size: u64) -> Self {
        Self { units: self.units + 1, bytes: self.bytes + unit_len, compressed: self.compressed + size }
    }

    fn without(self, unit_len: u64, size: u64) -> Self {
        Self { units: self.units - 1, bytes: self.bytes - unit_len, compressed: self.compressed - size }
    }
}

impl Step {
    /// The unit that it is about.
    pub fn unit(self) -> Option<UnitIndex> {
        match self {
            Self::Touch { unit, .. } | Self::Submit(unit) | Self::Discard(unit) => Some(unit),
            Self::Epoch => None,
        }
    }
}

/// Sizes as they come to be known.
struct Sizes {
    /// Of each unit, their sum and how many there were.
    known: Vec<(u64, u64)>,
}

impl Sizes {
    fn new(units: u32) -> Self {
        Self { known: vec![(0, 0); units as usize] }
    }

    fn add(&mut self, unit: u32, bytes: u32) {
        let (sum, count) = &mut self.known[unit as usize];
        *sum += u64::from(bytes);
        *count += 1;
    }

    /// The mean of each unit; where nothing is known, that of the others.
    fn means(self, unit_len: u64) -> Vec<u64> {
        let mean = |(sum, count): (u64, u64)| sum.checked_div(count).map(|mean| mean.min(unit_len));
        let means = self.known.iter().copied().filter_map(mean);
        let all = means.fold((0, 0), |(sum, count), size| (sum + size, count + 1));
        let usual = mean(all).unwrap_or(unit_len / ASSUMED_RATIO);
        self.known.iter().map(|&known| mean(known).unwrap_or(usual)).collect()
    }
}

/// Bytes of a trace, at most: enough for hundreds of millions of steps.
const LONGEST: usize = 1 << 30;

fn unzstd(file: &[u8]) -> Option<Vec<u8>> {
    let len = zstd_safe::get_frame_content_size(file).ok()??;
    let mut plain = vec![0; usize::try_from(len).ok().filter(|&len| len <= LONGEST)?];
    let read = zstd_safe::decompress(&mut plain[..], file).ok()?;
    plain.truncate(read);
    Some(plain)
}

/// Numbers that look random, the same for the same number (splitmix64, Steele and others, OOPSLA 2014).
pub(crate) fn hash(number: u64) -> u64 {
    let x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(unit: u32, write: bool) -> Step {
        Step::Touch { unit: UnitIndex(unit), write }
    }

    #[test]
    fn a_file_is_read_as_it_was_written() {
        let steps = vec![
            Step::Submit(UnitIndex(3)),
            touch(3, false),
            touch(1, true),
            Step::Epoch,
            Step::Discard(UnitIndex(3)),
        ];
        let trace = Trace { unit_len: 4096, sizes: vec![100, 4096, 100, 0], steps };
        let read = Trace::read(&trace.bytes()).unwrap();
        assert_eq!((read.unit_len, &read.steps), (trace.unit_len, &trace.steps));
        assert_eq!(read.sizes, [2048, 4096, 2048, 0], "the usual size where none is known");
        let mut packed = vec![0; 4096];
        let len = zstd_safe::compress(&mut packed[..], &trace.bytes(), 3).unwrap();
        packed.truncate(len);
        assert_eq!(Trace::read(&packed).unwrap(), read);
        assert!(Trace::read(&packed[..packed.len() - 3]).is_err());
        assert!(Trace::read(b"nothing").is_err());
    }

    #[test]
    fn only_what_has_contents_is_given_up() {
        let mut bytes = Header { unit_len: 4096, units: 1000 }.bytes().to_vec();
        let mut encoder = Encoder::default();
        for event in [Event::Submit { first: 5, count: 2 }, Event::Discard { first: 0, count: 1000 }] {
            encoder.push(event, &mut bytes);
        }
        let trace = Trace::read(&bytes).unwrap();
        let [five, six] = [5, 6].map(UnitIndex);
        assert_eq!(
            trace.steps,
            [Step::Submit(five), Step::Submit(six), Step::Discard(five), Step::Discard(six)]
        );
        assert_eq!(trace.footprint(), Footprint { units: 2, bytes: 8192, compressed: 2 * (4096 / 3) });
    }

    #[test]
    fn a_sample_is_of_units_not_of_steps() {
        let steps = (0..2).flat_map(|_| (0..10_000).map(|unit| touch(unit, true))).collect();
        let trace = Trace { unit_len: 4096, sizes: vec![1000; 10_000], steps };
        let sample = trace.sample(10);
        let units = sample.footprint().units;
        assert!((900..1100).contains(&units), "{units}");
        assert_eq!(sample.touches(), 2 * units);
    }
}
