// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Areas of a JVM's memory, by `ztera map`.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

use super::point::AreaBytes;
use crate::kit::own_command;

/// A part of the command's JSON.
#[derive(Deserialize)]
struct Map {
    areas: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    area: String,
    anonymous_bytes: u64,
    file_clean_bytes: u64,
    file_dirty_bytes: u64,
    swapped_bytes: u64,
}

/// Sums over the areas of these processes.
pub fn of(processes: &[u32]) -> Result<Vec<AreaBytes>> {
    let maps = processes.iter().map(|process| {
        let mut command = own_command::ztera()?;
        command.args(["map", &process.to_string(), "--json"]);
        own_command::output(command)
    });
    sums(&maps.collect::<Result<Vec<_>>>()?)
}

/// Areas that have pages, by name.
fn sums(maps: &[String]) -> Result<Vec<AreaBytes>> {
    let mut sums: BTreeMap<String, AreaBytes> = BTreeMap::new();
    for map in maps {
        let map: Map = serde_json::from_str(map).context("ztera map printed something else")?;
        for row in map.areas {
            let none = AreaBytes { area: row.area.clone(), anonymous: 0, file: 0, swapped: 0 };
            let sum = sums.entry(row.area).or_insert(none);
            sum.anonymous += row.anonymous_bytes;
            sum.file += row.file_clean_bytes + row.file_dirty_bytes;
            sum.swapped += row.swapped_bytes;
        }
    }
    let used = |area: &AreaBytes| area.anonymous + area.file + area.swapped > 0;
    Ok(sums.into_values().filter(used).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_of_several_jvms_are_added() {
        let map = |old: u64| {
            format!(
                r#"{{"pid":7,"areas":[{{"area":"old","mapped_bytes":9,"resident_bytes":6,"anonymous_bytes":{old},
                   "file_clean_bytes":2,"file_dirty_bytes":1,"swapped_bytes":4}},
                   {{"area":"reserved","mapped_bytes":9,"resident_bytes":0,"anonymous_bytes":0,"file_clean_bytes":0,
                   "file_dirty_bytes":0,"swapped_bytes":0}}]}}"#
            )
        };
        let old = AreaBytes { area: "old".to_owned(), anonymous: 8, file: 6, swapped: 8 };
        assert_eq!(sums(&[map(3), map(5)]).unwrap(), [old]);
        assert!(sums(&["no JVM".to_owned()]).is_err());
    }
}
