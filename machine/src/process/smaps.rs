// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How much of each mapping is in memory, by `/proc/PID/smaps`.

use std::fs;

use anyhow::Result;

use super::mapping::{self, Mapping};
use super::{file_of, unreadable};

/// A mapping and its memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Where it lies.
    pub mapping: Mapping,
    /// Its memory.
    pub usage: Usage,
    /// The kernel's flags of it, two letters each, such as `nr` for memory that was not accounted.
    pub flags: Vec<String>,
}

impl Entry {
    /// Whether it has a flag.
    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|it| it == flag)
    }
}

/// Memory of a mapping, in bytes. Pages that several processes map count in each of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// In DRAM.
    pub resident: u64,
    /// Of these, pages of no file, or of a file but changed for this process alone.
    pub anonymous: u64,
    /// Of those in DRAM, pages that were written to, of files and others.
    pub dirty: u64,
    /// In swap.
    pub swapped: u64,
}

/// All mappings of process `pid`, by address.
pub fn of(pid: u32) -> Result<Vec<Entry>> {
    let text = fs::read_to_string(file_of(pid, "smaps")).map_err(|error| unreadable(pid, "smaps", error))?;
    Ok(parse(&text))
}

/// The entries of a whole file.
pub fn parse(text: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for line in text.lines() {
        match (mapping::parse(line), entries.last_mut()) {
            (Some(mapping), _) => {
                entries.push(Entry { mapping, usage: Usage::default(), flags: Vec::new() });
            }
            (None, Some(entry)) => add(entry, line),
            (None, None) => (),
        }
    }
    entries
}

fn add(entry: &mut Entry, line: &str) {
    let Some((key, value)) = line.split_once(':') else { return };
    if key == "VmFlags" {
        entry.flags = value.split_whitespace().map(str::to_owned).collect();
        return;
    }
    let kib = value.trim().strip_suffix(" kB").and_then(|number| number.trim().parse::<u64>().ok());
    let (Some(kib), usage) = (kib, &mut entry.usage) else { return };
    match key {
        "Rss" => usage.resident += kib << 10,
        "Anonymous" => usage.anonymous += kib << 10,
        "Shared_Dirty" | "Private_Dirty" => usage.dirty += kib << 10,
        "Swap" => usage.swapped += kib << 10,
        _ => (),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_their_numbers_and_flags() {
        let text = "10000-20000 rw-p 00000000 00:00 0 \nRss:   8 kB\nPss:   4 kB\nShared_Dirty:   0 kB\n\
                    Private_Dirty:   8 kB\nAnonymous:   8 kB\nSwap:   12 kB\nSwapPss:   12 kB\nVmFlags: rd wr nr \n\
                    20000-30000 r--p 00000000 fe:00 7   /a\nRss:   4 kB\nAnonymous:   0 kB\nVmFlags: rd\n";
        let entries = parse(text);
        let usage = Usage { resident: 8 << 10, anonymous: 8 << 10, dirty: 8 << 10, swapped: 12 << 10 };
        assert_eq!(entries[0].usage, usage);
        assert!(entries[0].has("nr") && !entries[0].has("ac"));
        assert_eq!(entries[1].mapping.name, "/a");
        assert_eq!(entries[1].usage, Usage { resident: 4 << 10, ..Usage::default() });
    }

    #[test]
    fn memory_of_the_test_is_seen() {
        let written = vec![1u8; 1 << 20];
        let own = of(std::process::id()).unwrap();
        let at = written.as_ptr() as u64 + (1 << 19);
        let entry = own.iter().find(|entry| entry.mapping.range.contains(&at)).unwrap();
        assert!(entry.usage.resident + entry.usage.swapped >= 1 << 20, "{entry:?}");
    }
}
