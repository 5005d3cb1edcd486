// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Numbers of one thing, by their definitions.

use serde_json::{Map, Value as Json, json};
use ztera_disk::Stats as Device;
use ztera_metrics::{
    Group, Histogram, Kind, OF_COLLECTOR, OF_DEVICE, OF_ENGINE, OF_FAULTS, OF_HEAP, OF_LABEL, OF_MEMORY,
    OF_OFFLOAD, Statistic,
};

use crate::h2::info::Times;
use crate::h2::sample::Sample;

/// Names and values that tell one thing from others.
pub type Labels = Vec<(&'static str, String)>;

/// A number, or times.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// In the statistic's base unit.
    Number(f64),
    /// How long something took.
    Times(Histogram),
}

/// Numbers of one thing.
#[derive(Debug)]
pub struct Reading {
    /// The thing's kind.
    pub group: Group,
    /// The labels that tell it from others.
    pub labels: Labels,
    told: Json,
}

impl Reading {
    /// A statistic of it; none if this version of the thing does not tell it.
    pub fn value(&self, statistic: &Statistic) -> Option<Value> {
        let told = self.told.get(statistic.name)?;
        if statistic.kind == Kind::Histogram {
            let Times(times) = serde_json::from_value(told.clone()).ok()?;
            return Some(Value::Times(times));
        }
        Some(Value::Number(statistic.in_base_unit(told.as_f64()?)))
    }
}

/// All that a JVM told; of its labels the largest `most`.
pub fn of_jvm(sample: &Sample, labels: &Labels, most: usize) -> Vec<Reading> {
    let told = &sample.told;
    let reading = |group, told: &Json| Reading { group, labels: labels.clone(), told: told.clone() };
    let collectors = sample.pauses.iter().map(|it| {
        let last = it.last.map(|last| last.as_nanos() as u64);
        let told = json!({"collections": it.collections, "pause_ns": it.time.as_nanos() as u64, "last_pause_ns": last});
        Reading { group: OF_COLLECTOR, labels: with(labels, "collector", it.name), told }
    });
    let mut readings: Vec<Reading> = collectors.collect();
    if sample.info.enabled {
        readings.push(reading(OF_HEAP, told));
        let parts = [(OF_MEMORY, "memory"), (OF_ENGINE, "engine")];
        readings.extend(parts.map(|(group, name)| reading(group, &told[name])));
        readings.extend(of_faults(told, labels));
        readings.extend(of_labels(told, labels, most));
    }
    readings
}

fn of_faults<'t>(told: &'t Json, labels: &'t Labels) -> impl Iterator<Item = Reading> + 't {
    told["faults"].as_array().into_iter().flatten().map(|told| Reading {
        group: OF_FAULTS,
        labels: with(labels, "tier", told["tier"].as_str().unwrap_or_default()),
        told: told.clone(),
    })
}

fn of_labels(told: &Json, labels: &Labels, most: usize) -> Vec<Reading> {
    let mut all: Vec<&Json> = told["labels"].as_array().into_iter().flatten().collect();
    all.sort_by_key(|label| std::cmp::Reverse(label["used_bytes"].as_u64()));
    let reading = |told: &Json| Reading {
        group: OF_LABEL,
        labels: with(labels, "label", &told["label"].to_string()),
        told: told.clone(),
    };
    all.into_iter().take(most).map(reading).collect()
}

/// All that a block device told.
pub fn of_disk(stats: &Device, labels: &Labels) -> serde_json::Result<Vec<Reading>> {
    let told = serde_json::to_value(stats)?;
    let reading = |group, told| Reading { group, labels: labels.clone(), told };
    let accelerator = reading(OF_OFFLOAD, told["accelerator"].clone());
    Ok(vec![reading(OF_DEVICE, flat(told)), accelerator])
}

/// The numbers of an object and those of the objects in it, as one object.
fn flat(told: Json) -> Json {
    let Json::Object(told) = told else { return Json::Null };
    let parts = told.into_iter().flat_map(|(name, value)| match value {
        Json::Object(_) if name == "accelerator" => Map::new(),
        Json::Object(part) => part,
        value => Map::from_iter([(name, value)]),
    });
    parts.collect()
}

fn with(labels: &Labels, name: &'static str, value: &str) -> Labels {
    labels.iter().cloned().chain([(name, value.to_owned())]).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ztera_machine::jvm::Collector;
    use ztera_metrics::DEVICE;

    use super::*;

    fn value(readings: &[Reading], group: &Group, name: &str) -> Option<f64> {
        let reading = readings.iter().find(|it| it.group.title == group.title)?;
        match reading.value(group.statistics.iter().find(|it| it.name == name).expect("it is defined"))? {
            Value::Number(number) => Some(number),
            Value::Times(times) => panic!("{name} is no number: {times}"),
        }
    }

    #[test]
    fn a_jvm_tells_parts() {
        let young =
            Collector { name: "young", collections: 4, time: Duration::from_millis(1500), last: None };
        let label = |label: i64, bytes: u64| json!({"label": label, "regions": 1, "used_bytes": bytes});
        let labels = [label(1, 10), label(-2, 30), label(3, 20)];
        let told = json!({"enabled": true, "used_bytes": 5, "last_move_seconds": 0.5, "labels": labels,
            "engine": {"compress_ns": 2_500_000_000u64}, "memory": {"limit_bytes": 9, "h1_bytes": 7, "beside_bytes": 0, "staging_bytes": 0, "h2_bytes": 2}});
        let readings = of_jvm(&Sample::of(told, vec![young]).unwrap(), &vec![("pid", "7".to_owned())], 2);
        assert_eq!(value(&readings, &OF_COLLECTOR, "pause_ns"), Some(1.5));
        assert_eq!(value(&readings, &OF_COLLECTOR, "last_pause_ns"), None);
        assert_eq!(value(&readings, &OF_ENGINE, "compress_ns"), Some(2.5));
        assert_eq!(value(&readings, &OF_MEMORY, "h1_bytes"), Some(7.0));
        assert_eq!(value(&readings, &OF_HEAP, "last_move_seconds"), Some(0.5));
        let shown: Vec<_> =
            readings.iter().filter_map(|it| it.labels.get(1)).map(|it| it.1.as_str()).collect();
        assert_eq!(shown, ["young", "-2", "3"]);
    }

    #[test]
    fn a_heap_that_is_off_tells_pauses_only() {
        let sample = Sample::of(json!({"enabled": false}), Vec::new()).unwrap();
        assert!(of_jvm(&sample, &Labels::new(), 5).is_empty());
    }

    /// A device tells all that is defined, and nothing else.
    #[test]
    fn a_device_tells_what_is_defined() {
        let stats = Device {
            bd_stat: Some(Default::default()),
            accelerator: Some([("offloaded_units".to_owned(), 7)].into()),
            ..Device::default()
        };
        let readings = of_disk(&stats, &Labels::new()).unwrap();
        assert_eq!(value(&readings, &OF_OFFLOAD, "offloaded_units"), Some(7.0));
        let told = readings[0].told.as_object().unwrap();
        let mut numbers: Vec<_> =
            told.iter().filter(|(_, it)| it.is_u64()).map(|(name, _)| name.as_str()).collect();
        let mut defined: Vec<_> = DEVICE.iter().map(|statistic| statistic.name).collect();
        numbers.sort_unstable();
        defined.sort_unstable();
        assert_eq!(numbers, defined);
    }
}
