// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The counters that a JVM shows in a file, `hsperfdata_USER/PID`, as `jstat` reads them.
//!
//! ```text
//!  prologue:  0 magic (big-endian)  4 byte order  24 offset of the first entry  28 entries
//!  entry:     0 length  4 offset of the name  8 elements, 0 for a scalar  12 type  16 offset of the value
//! ```

use std::fs;
use std::path::Path;

use super::place::Place;

/// The first bytes of such a file.
const MAGIC: [u8; 4] = [0xca, 0xfe, 0xc0, 0xc0];

/// The file as it was at some moment.
pub struct PerfData {
    bytes: Vec<u8>,
}

impl PerfData {
    /// Of a JVM; none if it has no such file, or this user may not read it.
    pub fn of(place: &Place) -> Option<PerfData> {
        let folders = fs::read_dir(&place.temporary).ok()?.flatten();
        let mut own = folders.filter(|it| it.file_name().to_string_lossy().starts_with("hsperfdata_"));
        own.find_map(|folder| PerfData::read(&folder.path().join(place.inside.to_string())))
    }

    fn read(path: &Path) -> Option<PerfData> {
        let bytes = fs::read(path).ok()?;
        (bytes.starts_with(&MAGIC) && bytes.get(4) == Some(&u8::from(cfg!(target_endian = "little"))))
            .then_some(PerfData { bytes })
    }

    /// A counter that is a number.
    pub fn number(&self, name: &str) -> Option<u64> {
        let entry = self.entry(name, b'J')?;
        Some(u64::from_ne_bytes(entry.value(8)?.try_into().ok()?))
    }

    /// A counter that is a text.
    pub fn text(&self, name: &str) -> Option<String> {
        let entry = self.entry(name, b'B')?;
        Some(until_zero(entry.value(entry.word(8)?)?))
    }

    fn entry(&self, name: &str, kind: u8) -> Option<Entry<'_>> {
        self.entries()?.find(|entry| entry.bytes.get(12) == Some(&kind) && entry.has_name(name))
    }

    fn entries(&self) -> Option<impl Iterator<Item = Entry<'_>>> {
        let whole = Entry { bytes: &self.bytes };
        let mut rest = self.bytes.get(whole.word(24)?..)?;
        let next = move |_| {
            let length = Entry { bytes: rest }.word(0).filter(|length| *length > 0)?;
            let bytes = rest.get(..length)?;
            rest = &rest[length..];
            Some(Entry { bytes })
        };
        Some((0..whole.word(28)?).map_while(next))
    }
}

struct Entry<'a> {
    bytes: &'a [u8],
}

impl Entry<'_> {
    /// A number of 4 bytes.
    fn word(&self, at: usize) -> Option<usize> {
        let word = self.bytes.get(at..at + 4)?.try_into().ok()?;
        usize::try_from(i32::from_ne_bytes(word)).ok()
    }

    fn has_name(&self, name: &str) -> bool {
        let bytes = self.word(4).and_then(|at| self.bytes.get(at..)).unwrap_or_default();
        bytes.starts_with(name.as_bytes()) && bytes.get(name.len()) == Some(&0)
    }

    fn value(&self, bytes: usize) -> Option<&[u8]> {
        let at = self.word(16)?;
        self.bytes.get(at..at.checked_add(bytes)?)
    }
}

fn until_zero(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.split(|&byte| byte == 0).next().unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ztera_kit::perf_data::{self, number, text};

    fn file(entries: &[Vec<u8>]) -> PerfData {
        PerfData { bytes: perf_data::file(entries) }
    }

    #[test]
    fn counters_are_found_by_name() {
        let data = file(&[
            text("sun.rt.jvm", b"abc\0"),
            number("sun.gc.time", 77),
            text("sun.rt.javaCommand", b"app.Main -x\0\0\0\0\0"),
        ]);
        assert_eq!(data.text("sun.rt.javaCommand").as_deref(), Some("app.Main -x"));
        assert_eq!(data.number("sun.gc.time"), Some(77));
        assert_eq!((data.number("sun.rt.jvm"), data.text("sun.rt")), (None, None));
    }

    #[test]
    fn what_is_cut_off_is_missing() {
        let whole = file(&[number("a", 7), text("b", b"x\0")]);
        for length in 0..whole.bytes.len() {
            let data = PerfData { bytes: whole.bytes[..length].to_vec() };
            assert!(data.number("a").is_none_or(|number| number == 7), "{length}");
            assert!(data.text("b").is_none(), "{length}");
        }
        assert_eq!(whole.text("b").as_deref(), Some("x"));
    }
}
