//! The model's parameters, also as people write them: `instances=18,latency=58us,error=0.01`.

use std::str::FromStr;
use std::time::Duration;

/// Sizes, times and mistakes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Jobs that it works on at a time.
    pub instances: u32,
    /// Jobs that each instance has room for, the one that it works on included.
    pub ring: u32,
    /// Time for the first page of a unit.
    pub latency: Duration,
    /// Time for each further page of 4 KiB.
    pub page: Duration,
    /// CPU time of an interrupt, beside what it takes to wake a thread here.
    pub interrupt: Duration,
    /// Level of deflate, 1 to 12.
    pub level: i32,
    /// Most bytes of outputs that are kept.
    pub memory: usize,
    /// Its faults.
    pub faults: Faults,
    /// Of random choices.
    pub seed: u64,
}

/// Something that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    Error,
    Corrupt,
    TooLong,
    Slow,
    Stuck,
    Reset,
}

/// How often something goes wrong: shares of all jobs, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faults {
    /// The device says that it failed.
    pub error: f64,
    /// A bit of the output is wrong.
    pub corrupt: f64,
    /// The output has no room.
    pub expand: f64,
    /// It takes forty times as long.
    pub slow: f64,
    /// There is never an answer.
    pub stuck: f64,
    /// The device loses all that it has.
    pub reset: f64,
    /// The device is gone after so many jobs.
    pub gone_after: Option<u64>,
}

impl Default for Params {
    /// The paper's device: 18 instances, 58 us for a page. The time of further pages, and rings, are assumptions: 0.8 GB/s
    /// of an instance, and four jobs of each.
    fn default() -> Self {
        Self {
            instances: 18,
            ring: 4,
            latency: Duration::from_micros(58),
            page: Duration::from_micros(5),
            interrupt: Duration::ZERO,
            level: 6,
            memory: 1 << 30,
            faults: Faults::default(),
            seed: 1,
        }
    }
}

impl Params {
    /// How long an instance takes for a unit.
    pub(super) fn time_of(&self, len: usize) -> Duration {
        self.latency + self.page * (len.div_ceil(4096) as u32).saturating_sub(1)
    }
}

impl Faults {
    pub(super) fn draw(&self, random: &mut fastrand::Rng) -> Option<Mistake> {
        let shares = [
            (self.error, Mistake::Error),
            (self.corrupt, Mistake::Corrupt),
            (self.expand, Mistake::TooLong),
            (self.slow, Mistake::Slow),
            (self.stuck, Mistake::Stuck),
            (self.reset, Mistake::Reset),
        ];
        let mut at = random.f64();
        shares.into_iter().find_map(|(share, mistake)| {
            at -= share;
            (at < 0.0).then_some(mistake)
        })
    }
}

impl FromStr for Params {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut params = Self::default();
        for pair in text.split(',').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').ok_or_else(|| format!("`{pair}` is no NAME=VALUE"))?;
            params.set(name, value)?;
        }
        Ok(params)
    }
}

impl Params {
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let faults = &mut self.faults;
        match name {
            "instances" => self.instances = number(value, 1, 1024)? as u32,
            "ring" => self.ring = number(value, 1, 1024)? as u32,
            "latency" => self.latency = micros(value)?,
            "page" => self.page = micros(value)?,
            "interrupt" => self.interrupt = micros(value)?,
            "level" => self.level = number(value, 1, 12)? as i32,
            "memory" => self.memory = (number(value, 0, 1 << 20)? as usize) << 20,
            "seed" => self.seed = number(value, 0, u64::MAX)?,
            "error" => faults.error = share(value)?,
            "corrupt" => faults.corrupt = share(value)?,
            "expand" => faults.expand = share(value)?,
            "slow" => faults.slow = share(value)?,
            "stuck" => faults.stuck = share(value)?,
            "reset" => faults.reset = share(value)?,
            "gone-after" => faults.gone_after = Some(number(value, 0, u64::MAX)?),
            _ => return Err(format!("the model has no `{name}`; it has {NAMES}")),
        }
        Ok(())
    }
}

const NAMES: &str = "instances, ring, latency, page, interrupt (microseconds), level, memory (MiB), seed, and the faults \
                     error, corrupt, expand, slow, stuck, reset (shares), gone-after (jobs)";

fn number(text: &str, least: u64, most: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("`{text}` is no number from {least} to {most}"))
}

fn micros(text: &str) -> Result<Duration, String> {
    number(text.trim_end_matches("us"), 0, 10_000_000).map(Duration::from_micros)
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("`{text}` is no share from 0 to 1"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_as_they_are_written() {
        let params: Params =
            "instances=2,latency=9us,page=0,error=0.5,gone-after=7".parse().expect("it is right");
        assert_eq!((params.instances, params.time_of(65536)), (2, Duration::from_micros(9)));
        assert_eq!((params.faults.error, params.faults.gone_after), (0.5, Some(7)));
        assert_eq!("".parse(), Ok(Params::default()));
        for wrong in ["x=1", "instances=0", "instances", "error=2", "latency=fast", "level=13"] {
            assert!(wrong.parse::<Params>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_unit_takes_as_long_as_its_pages() {
        let params = Params::default();
        let micros = |len| params.time_of(len).as_micros();
        assert_eq!([1, 4096, 4097, 16384].map(micros), [58, 58, 63, 73]);
    }
}
