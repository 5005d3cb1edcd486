// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Reads the pauses out of a log that the JVM wrote with `-Xlog:gc`.

use serde::{Deserialize, Serialize};
use ztera_machine::units::parse_size;

/// One stop-the-world pause.
#[derive(Clone, Debug, PartialEq)]
pub struct Pause {
    /// The name in the log, such as `Pause Full (System.gc())`.
    pub kind: String,
    /// How long it took.
    pub seconds: f64,
    /// Bytes in the heap after it, if the log says so.
    pub left_bytes: Option<u64>,
}

impl Pause {
    /// Whether the whole first heap was collected.
    pub fn is_full(&self) -> bool {
        self.kind.starts_with("Pause Full")
    }
}

/// All pauses of a run in short.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Pauses {
    /// How many.
    pub count: usize,
    /// How many of them were full collections.
    pub full: usize,
    /// All of them together.
    pub total_seconds: f64,
    /// The longest.
    pub max_seconds: f64,
    /// Bytes that the last full collection left in the first heap. Older files of samples do not have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_bytes: Option<u64>,
}

/// The pauses in their order. Lines that end no pause are skipped, and so is a last line that the JVM did not
/// finish writing.
pub fn pauses(log: &str) -> Vec<Pause> {
    log.lines().filter_map(pause).collect()
}

/// A part of a pause: what the log calls it, and how long it took in seconds.
pub type Phase = (String, f64);

/// The phases of the last full collection, in their order. Takes `-Xlog:gc+phases` as well.
pub fn last_full_phases(log: &str) -> Vec<Phase> {
    let is_full = |line: &&str| line.contains("Pause Full") && pause(line).is_some();
    let Some(id) = log.lines().rfind(is_full).and_then(collection) else {
        return Vec::new();
    };
    log.lines().filter(|line| collection(line) == Some(id)).filter_map(phase).collect()
}

/// The seconds of all phases of full collections whose names begin so. Takes `-Xlog:gc+phases` as well.
pub fn phases_seconds(log: &str, beginning: &str) -> f64 {
    let wanted = log.lines().filter_map(phase).filter(|(name, _)| name.starts_with(beginning));
    // The sum of nothing would be -0.
    wanted.fold(0.0, |sum, (_, seconds)| sum + seconds)
}

/// `GC(3)`
fn collection(line: &str) -> Option<&str> {
    let start = line.find("GC(")?;
    line[start..].split_inclusive(')').next()
}

/// `[1.2s][info][gc,phases] GC(3) Marking Phase 17.988ms`
fn phase(line: &str) -> Option<Phase> {
    let (tags, text) = line.split_once("] GC(")?;
    if !tags.trim_end().ends_with("gc,phases") {
        return None;
    }
    let (name, time) = text.split_once(") ")?.1.trim_end().rsplit_once(' ')?;
    Some((name.to_owned(), time.strip_suffix("ms")?.parse::<f64>().ok()? / 1e3))
}

/// The sum of the pauses.
pub fn summary(pauses: &[Pause]) -> Pauses {
    Pauses {
        count: pauses.len(),
        full: pauses.iter().filter(|pause| pause.is_full()).count(),
        total_seconds: pauses.iter().map(|pause| pause.seconds).sum(),
        max_seconds: pauses.iter().map(|pause| pause.seconds).fold(0.0, f64::max),
        left_bytes: pauses.iter().rfind(|pause| pause.is_full()).and_then(|pause| pause.left_bytes),
    }
}

/// `[1.2s][info][gc] GC(3) Pause Full (System.gc()) 123M->45M(200M) 56.789ms`
fn pause(line: &str) -> Option<Pause> {
    let text = &line[line.find("Pause ")?..];
    let (rest, time) = text.trim_end().rsplit_once(' ')?;
    let milliseconds: f64 = time.strip_suffix("ms")?.parse().ok()?;
    let (kind, left_bytes) = match rest.rsplit_once(' ') {
        Some((kind, sizes)) if sizes.contains("->") => (kind, left(sizes)),
        _ => (rest, None),
    };
    Some(Pause { kind: kind.to_owned(), seconds: milliseconds / 1e3, left_bytes })
}

/// `123M->45M(200M)`
fn left(sizes: &str) -> Option<u64> {
    let (_, after) = sizes.split_once("->")?;
    parse_size(after.split('(').next()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ztera_machine::units::MIB;

    const LOG: &str = "\
[0.004s][info][gc] Using Parallel
[1.656s][info][gc] GC(0) Pause Young (Allocation Failure) 96M->18M(362M) 49.657ms
[52.061s][info][gc] GC(14) Pause Full (System.gc()) 3306M->3128M(4754M) 5112.339ms
[52.062s][info][gc,start] GC(15) Pause Full (System.gc())
[53.000s][info][gc] GC(16) Concurrent Mark Cycle 12.000ms
[53.100s][info][gc] GC(17) Pause Remark 0.5ms
[53.200s][info][gc] GC(18) Pause Young (Allocation Failure) 96M->18M(362M) 49.6";

    #[test]
    fn pauses_are_found_between_other_lines() {
        let pauses = pauses(LOG);
        let kinds: Vec<&str> = pauses.iter().map(|pause| pause.kind.as_str()).collect();
        assert_eq!(kinds, ["Pause Young (Allocation Failure)", "Pause Full (System.gc())", "Pause Remark"]);
        assert!((pauses[1].seconds - 5.112339).abs() < 1e-9);
        let left: Vec<Option<u64>> = pauses.iter().map(|pause| pause.left_bytes).collect();
        assert_eq!(left, [Some(18 * MIB), Some(3128 * MIB), None]);
    }

    #[test]
    fn the_summary_adds_them_up() {
        let summary = summary(&pauses(LOG));
        assert_eq!((summary.count, summary.full), (3, 1));
        assert!((summary.max_seconds - 5.112339).abs() < 1e-9);
        assert!((summary.total_seconds - 5.162496).abs() < 1e-9);
    }

    #[test]
    fn the_last_full_collection_says_what_it_left() {
        let log = "\
[1.0s][info][gc] GC(0) Pause Full (System.gc()) 90M->80M(200M) 5.0ms
[2.0s][info][gc] GC(1) Pause Full (Ergonomics) 95M->70M(200M) 5.0ms
[3.0s][info][gc] GC(2) Pause Young (Allocation Failure) 96M->85M(362M) 49.657ms";
        assert_eq!(summary(&pauses(log)).left_bytes, Some(70 * MIB));
        let young = log.lines().last().unwrap();
        assert_eq!(summary(&pauses(young)).left_bytes, None);
    }

    #[test]
    fn pauses_of_an_earlier_version_are_read() {
        let line = r#"{"count":9,"full":3,"total_seconds":0.5,"max_seconds":0.25}"#;
        let pauses: Pauses = serde_json::from_str(line).unwrap();
        assert_eq!((pauses.full, pauses.left_bytes), (3, None));
        assert_eq!(serde_json::to_string(&pauses).unwrap(), line);
    }

    #[test]
    fn phases_are_those_of_the_last_full_collection() {
        let log = "\
[1.1s][info][gc,phases      ] GC(7) Marking Phase 1.000ms
[1.1s][info][gc             ] GC(7) Pause Full (System.gc()) 3M->3M(4M) 1.500ms
[2.0s][info][gc,phases,start] GC(8) H2 Copy
[2.0s][info][gc,phases      ] GC(8) H2 Select 29.5ms
[2.5s][info][gc,h2          ] GC(8) Moved 1025 objects, 1048580K in 1.954s
[2.6s][info][gc,phases      ] GC(8) H2 Copy 1954.307ms
[2.9s][info][gc             ] GC(8) Pause Full (System.gc()) 1065M->35M(1518M) 2043.548ms
[3.1s][info][gc             ] GC(9) Pause Young (Allocation Failure) 96M->18M(362M) 49.657ms";
        let phases = last_full_phases(log);
        let names: Vec<&str> = phases.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["H2 Select", "H2 Copy"]);
        assert!((phases[1].1 - 1.954307).abs() < 1e-9);
        assert!((phases_seconds(log, "H2 ") - 1.983807).abs() < 1e-9);
        assert_eq!(last_full_phases(LOG), []);
    }

    #[test]
    fn an_empty_log_has_none() {
        assert_eq!(summary(&pauses("")), Pauses::default());
    }
}
