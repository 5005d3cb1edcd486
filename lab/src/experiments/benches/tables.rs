// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Tables of any report: each array of objects in its JSON is one.

use serde_json::{Map, Value};
use ztera_machine::units::{show_seconds, show_size};

use crate::frame::number::number;
use crate::frame::presentation::Table;

type Object = Map<String, Value>;

/// All of them. `title` is that of the whole.
pub fn of(title: &str, json: &Value) -> Vec<Table> {
    match json {
        Value::Object(fields) => below(title, fields).collect(),
        Value::Array(elements) => {
            let rows: Vec<&Object> = elements.iter().filter_map(Value::as_object).collect();
            own(title, &rows).into_iter().chain(inner(title, &rows)).collect()
        }
        _ => Vec::new(),
    }
}

/// Of each field; verdicts on figures and claims are shown elsewhere.
fn below(title: &str, fields: &Object) -> impl Iterator<Item = Table> {
    let fields = fields.iter().filter(|(name, _)| !["figures", "claims"].contains(&name.as_str()));
    fields.flat_map(move |(name, value)| of(&format!("{title}: {}", words(name)), value))
}

/// Tables within rows: those of one field together, with the row's first words before each of their own rows.
fn inner(title: &str, rows: &[&Object]) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    for row in rows {
        let first = named(row).into_iter().find_map(|(name, value)| Some((name, value.as_str()?)));
        for mut table in below(title, row) {
            if let Some((name, value)) = first {
                table.head.insert(0, words(name));
                table.rows.iter_mut().for_each(|row| row.insert(0, value.to_owned()));
            }
            match tables.iter_mut().find(|known| (&known.title, &known.head) == (&table.title, &table.head)) {
                Some(known) => known.rows.extend(table.rows),
                None => tables.push(table),
            }
        }
    }
    tables
}

/// A table of names alone says nothing.
fn own(title: &str, rows: &[&Object]) -> Option<Table> {
    let fields = rows.first().map(|row| named(row)).unwrap_or_default().into_iter();
    let names: Vec<&String> =
        fields.filter(|(name, value)| cell(name, value).is_some()).map(|(name, _)| name).collect();
    let mut table = Table::new(title, names.iter().map(|name| words(name)));
    let cells = |row: &&Object| {
        let value = |name: &&String| row.get(*name).and_then(|value| cell(name, value)).unwrap_or_default();
        names.iter().map(value).collect()
    };
    table.rows = rows.iter().map(cells).collect();
    (table.head.len() > 1).then_some(table)
}

/// The fields of a row: first those that name it, then other words, then numbers.
fn named(row: &Object) -> Vec<(&String, &Value)> {
    const NAMES: [&str; 5] = ["workload", "program", "data", "arm", "name"];
    let place = |name: &str, value: &Value| match NAMES.iter().position(|known| *known == name) {
        Some(place) => place,
        None if value.is_string() && name != "checksum" => NAMES.len(),
        None => NAMES.len() + 1,
    };
    let mut fields: Vec<_> = row.iter().collect();
    fields.sort_by_key(|(name, value)| place(name, value));
    fields
}

/// A field's name, for people.
fn words(name: &str) -> String {
    let word = |word: &str| match word {
        "mib" => "MiB".to_owned(),
        "gib" => "GiB".to_owned(),
        "cpu" | "dram" | "ssd" | "h2" => word.to_uppercase(),
        other => other.to_owned(),
    };
    // Their cells have the unit.
    let name = name.strip_suffix("_bytes").or_else(|| name.strip_suffix("_seconds")).unwrap_or(name);
    name.split('_').map(word).collect::<Vec<_>>().join(" ")
}

/// A value that fits a cell; samples are shown as their median and spread.
fn cell(name: &str, value: &Value) -> Option<String> {
    let show = |value: f64| match name {
        _ if name.ends_with("bytes") => show_size(value as u64),
        _ if name.ends_with("seconds") => show_seconds(value),
        _ => number(value),
    };
    match value {
        Value::Null => Some(String::new()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(value) => value.as_f64().map(show),
        Value::String(text) => Some(text.clone()),
        Value::Object(fields) => {
            let [median, least, most] =
                ["median", "min", "max"].map(|name| fields.get(name).and_then(Value::as_f64));
            let [median, least, most] = [median?, least?, most?].map(show);
            Some(if least == most { median } else { format!("{median} ({least} .. {most})") })
        }
        Value::Array(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arrays_of_objects_are_tables() {
        let speed = json!({"median": 2.0, "min": 1.0, "max": 3.0, "samples": [1, 2, 3]});
        let json = json!({"bytes": 5, "figures": [{"name": "a", "value": 1}], "rows": [
            {"arm": "a", "mib_per_second": speed, "parts": [{"x": 1, "y": 2}]},
            {"arm": "b", "parts": [{"x": 3, "y": 4}]},
        ]});
        let tables = of("disk", &json);
        assert_eq!(tables.len(), 2);
        let head = |table: &Table| table.head.join(", ");
        assert_eq!(
            (tables[0].title.as_str(), head(&tables[0]).as_str()),
            ("disk: rows", "arm, MiB per second")
        );
        assert_eq!(tables[0].rows, [["a", "2 (1 .. 3)"], ["b", ""]]);
        // One table of the parts of all rows.
        assert_eq!((tables[1].title.as_str(), head(&tables[1]).as_str()), ("disk: rows: parts", "arm, x, y"));
        assert_eq!(tables[1].rows, [["a", "1", "2"], ["b", "3", "4"]]);
    }

    #[test]
    fn cells_have_units_and_names_alone_are_no_table() {
        let alike = json!({"median": 2048.0, "min": 2048.0, "max": 2048.0});
        let row = json!({"checksum": "9f", "idle_bytes": alike, "ending": "finished", "pause_seconds": 0.5, "workload": "maps"});
        let tables = of("disk", &json!([row]));
        assert_eq!(tables[0].head, ["workload", "ending", "checksum", "idle", "pause"]);
        assert_eq!(tables[0].rows, [["maps", "finished", "9f", "2.00 KiB", "500.0 ms"]]);
        assert_eq!(of("codec", &json!([{"data": "text"}, {"data": "longs"}])), []);
    }
}
