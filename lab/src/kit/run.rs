// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A run of a program in a JVM of its own, after its end.

use serde::{Deserialize, Serialize};

use super::ending::Ending;
use super::gclog::Pauses;

/// Such a run, as files of samples keep it.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ProgramRun {
    /// How it ended.
    #[serde(alias = "outcome")]
    pub ending: Ending,
    /// The same in words.
    pub words: String,
    /// The whole run, the JVM's start included, but not the time to ask for the second heap at its end.
    pub seconds: f64,
    /// Building the data, if it finished.
    pub load_seconds: Option<f64>,
    /// All operations, if it finished.
    pub query_seconds: Option<f64>,
    /// The checksum of all answers, if it finished.
    pub answer: Option<String>,
    /// The highest charge of its cgroup.
    pub cgroup_peak_bytes: Option<u64>,
    /// The highest use of zram or zswap, if the arm has one and the cgroup does not count it.
    pub zram_peak_bytes: Option<u64>,
    /// If the arm has an SSD. Of a run that was stopped, what was known shortly before.
    pub ssd_read_bytes: Option<u64>,
    /// The same.
    pub ssd_written_bytes: Option<u64>,
    /// Of the collector. Older files of samples do not have them.
    #[serde(default)]
    pub pauses: Option<Pauses>,
}

impl ProgramRun {
    /// Whether it did all its work, and gave the right answers as far as is known.
    pub fn finished(&self) -> bool {
        self.ending == Ending::Finished
    }

    /// Building the data and all operations, without the start, if it finished.
    pub fn work_seconds(&self) -> Option<f64> {
        Some(self.load_seconds? + self.query_seconds?).filter(|_| self.finished())
    }

    /// All DRAM at its peak: the cgroup does not count zram's.
    pub fn dram_peak(&self) -> Option<u64> {
        Some(self.cgroup_peak_bytes? + self.zram_peak_bytes.unwrap_or(0))
    }

    /// A run that found something else than the reference is wrong, however well it ended.
    pub fn compare(&mut self, wanted: Option<&str>) {
        let found = self.answer.as_deref();
        if self.finished() && wanted.is_some() && found != wanted {
            let [found, wanted] = [found, wanted].map(|answer| answer.unwrap_or("nothing"));
            self.words = format!("found {found} where the reference found {wanted}");
            self.ending = Ending::WrongAnswers;
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use ztera_machine::units::MIB;

    /// A run that took so long, half of it to load.
    pub fn finished(seconds: f64) -> ProgramRun {
        ProgramRun {
            ending: Ending::Finished,
            words: "finished".to_owned(),
            seconds,
            load_seconds: Some(seconds / 2.0),
            query_seconds: Some(seconds / 2.0),
            answer: Some("abc".to_owned()),
            cgroup_peak_bytes: Some(480 * MIB),
            zram_peak_bytes: None,
            ssd_read_bytes: Some(5 * MIB),
            ssd_written_bytes: Some(7 * MIB),
            pauses: Some(Pauses {
                count: 9,
                full: 3,
                total_seconds: 0.5,
                max_seconds: 0.25,
                left_bytes: None,
            }),
        }
    }

    /// One that ended otherwise.
    pub fn ended(ending: Ending) -> ProgramRun {
        ProgramRun {
            ending,
            words: "it was so".to_owned(),
            load_seconds: None,
            query_seconds: None,
            answer: None,
            ssd_read_bytes: None,
            ssd_written_bytes: None,
            ..finished(60.0)
        }
    }

    #[test]
    fn dram_is_the_sum_of_cgroup_and_zram() {
        let run = ProgramRun { zram_peak_bytes: Some(20 * MIB), ..finished(2.0) };
        assert_eq!(run.dram_peak(), Some(500 * MIB));
        assert_eq!(ProgramRun { cgroup_peak_bytes: None, ..run }.dram_peak(), None);
    }

    #[test]
    fn work_is_all_but_the_start_of_a_run_that_finished() {
        let run = ProgramRun { seconds: 9.0, ..finished(8.0) };
        assert_eq!(run.work_seconds(), Some(8.0));
        assert_eq!(ProgramRun { ending: Ending::WrongAnswers, ..run }.work_seconds(), None);
    }

    #[test]
    fn other_answers_are_wrong() {
        let ending = |run: ProgramRun, wanted| {
            let mut run = run;
            run.compare(wanted);
            run.ending
        };
        assert_eq!(ending(finished(1.0), Some("abc")), Ending::Finished);
        assert_eq!(ending(finished(1.0), Some("abd")), Ending::WrongAnswers);
        assert_eq!(ending(finished(1.0), None), Ending::Finished);
        assert_eq!(ending(ProgramRun { answer: None, ..finished(1.0) }, Some("abc")), Ending::WrongAnswers);
        assert_eq!(ending(ended(Ending::DoesNotFit), Some("abc")), Ending::DoesNotFit);
    }

    #[test]
    fn samples_of_earlier_versions_can_be_read() {
        let line = r#"{"outcome":"oom","words":"so","seconds":3.5,"load_seconds":null,"query_seconds":null,
            "answer":null,"cgroup_peak_bytes":1,"zram_peak_bytes":null,"ssd_read_bytes":null,
            "ssd_written_bytes":null,"full_collections":3,"pause_seconds":0.5}"#;
        let run: ProgramRun = serde_json::from_str(line).unwrap();
        assert_eq!((run.ending, run.seconds, run.pauses), (Ending::DoesNotFit, 3.5, None));
    }
}
