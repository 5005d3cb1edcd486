// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Tables of any report: each array of objects in its JSON is one.

use serde_json::{Map, Value};

use crate::frame::number::number;
use crate::frame::presentation::Table;

/// All of them. `title` is that of the whole.
pub fn of(title: &str, json: &Value) -> Vec<Table> {
    match json {
        Value::Object(fields) => {
            fields.iter().flat_map(|(name, value)| of(&format!("{title}: {name}"), value)).collect()
        }
        Value::Array(elements) => {
            let rows: Vec<&Map<String, Value>> = elements.iter().filter_map(Value::as_object).collect();
            let deeper = rows.iter().flat_map(|row| inner(title, row));
            own(title, &rows).into_iter().chain(deeper).collect()
        }
        _ => Vec::new(),
    }
}

/// Tables within a row, which is named by its words.
fn inner(title: &str, row: &Map<String, Value>) -> Vec<Table> {
    let words: Vec<&str> = row.values().filter_map(Value::as_str).take(1).collect();
    let title = format!("{title} {}", words.join(" "));
    row.iter().flat_map(|(name, value)| of(&format!("{}: {name}", title.trim_end()), value)).collect()
}

fn own(title: &str, rows: &[&Map<String, Value>]) -> Option<Table> {
    let names = rows.first()?.iter().filter(|(_, value)| cell(value).is_some()).map(|(name, _)| name.clone());
    let mut table = Table::new(title, names);
    let cells = |row: &&Map<String, Value>| {
        table.head.iter().map(|name| row.get(name).and_then(cell).unwrap_or_default()).collect()
    };
    table.rows = rows.iter().map(cells).collect();
    (!table.head.is_empty()).then_some(table)
}

/// A value that fits a cell; samples are shown as their median and spread.
fn cell(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(value) => value.as_f64().map(number),
        Value::String(text) => Some(text.clone()),
        Value::Object(fields) => {
            let [median, min, max] =
                ["median", "min", "max"].map(|name| fields.get(name).and_then(Value::as_f64));
            Some(format!("{} ({} .. {})", number(median?), number(min?), number(max?)))
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
        let json =
            json!({"bytes": 5, "rows": [{"arm": "a", "speed": speed, "parts": [{"x": 1}]}, {"arm": "b"}]});
        let tables = of("disk", &json);
        assert_eq!(tables.len(), 2);
        assert_eq!(
            (tables[0].title.as_str(), &tables[0].head[..]),
            ("disk: rows", &["arm", "speed"].map(String::from)[..])
        );
        assert_eq!(tables[0].rows, [["a", "2 (1 .. 3)"], ["b", ""]]);
        assert_eq!(tables[1].title, "disk: rows a: parts");
    }
}
