// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Readings as text: in the format OpenMetrics, and in the older one of Prometheus, which node_exporter reads.

use std::fmt;

use anyhow::{Context, Result};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet, prometheus_text, text};
use prometheus_client::metrics::MetricType;
use prometheus_client::registry::{Registry, Unit};
use ztera_metrics::{GROUPS, Group, Histogram, Kind, Statistic};

use super::gather::{Answered, Gathered};
use super::reading::{Labels, Reading, Value};

/// Says whether each JVM answered.
pub const JVM_UP: (&str, &str) = ("ztera_jvm_up", "1 if the JVM answered, else 0.");
/// Says whether each block device answered.
pub const DISK_UP: (&str, &str) = ("ztera_disk_up", "1 if the block device answered, else 0.");

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// OpenMetrics 1.0.
    OpenMetrics,
    /// The text format 0.0.4 of Prometheus.
    Prometheus,
}

impl Format {
    /// Its name in HTTP.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Prometheus => prometheus_text::CONTENT_TYPE,
        }
    }
}

/// The text.
pub fn encode(gathered: Gathered, format: Format) -> Result<String> {
    let mut registry = Registry::default();
    registry.register_collector(Box::new(gathered));
    let mut text = String::new();
    match format {
        Format::OpenMetrics => text::encode(&mut text, &registry),
        Format::Prometheus => prometheus_text::encode(&mut text, &registry),
    }
    .context("a number cannot be written")?;
    Ok(text)
}

impl Collector for Gathered {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        up(&mut encoder, JVM_UP, &self.jvms)?;
        up(&mut encoder, DISK_UP, &self.disks)?;
        let readings: Vec<&Reading> =
            self.jvms.iter().chain(&self.disks).flat_map(|it| &it.readings).flatten().collect();
        for group in GROUPS {
            let of_group = || readings.iter().filter(|reading| reading.group.title == group.title);
            for statistic in group.statistics {
                let values = of_group().filter_map(|it| Some((&it.labels, it.value(statistic)?)));
                family(&mut encoder, &group, statistic, &values.collect::<Vec<_>>())?;
            }
        }
        Ok(())
    }
}

fn up(encoder: &mut DescriptorEncoder, (name, help): (&str, &str), all: &[Answered]) -> fmt::Result {
    if all.is_empty() {
        return Ok(());
    }
    let mut metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
    for one in all {
        metric.encode_family(&one.labels)?.encode_gauge(&u64::from(one.readings.is_some()))?;
    }
    Ok(())
}

/// One number of all things that have it.
fn family(
    encoder: &mut DescriptorEncoder,
    group: &Group,
    statistic: &Statistic,
    values: &[(&Labels, Value)],
) -> fmt::Result {
    if values.is_empty() {
        return Ok(());
    }
    let name = format!("{}_{}", group.prefix, statistic.stem());
    let unit = statistic.base_unit().map(|unit| Unit::Other(unit.to_owned()));
    let kind = match statistic.kind {
        Kind::Gauge => MetricType::Gauge,
        Kind::Counter => MetricType::Counter,
        Kind::Histogram => MetricType::Histogram,
    };
    let mut metric = encoder.encode_descriptor(&name, statistic.meaning, unit.as_ref(), kind)?;
    for (labels, value) in values {
        sample(metric.encode_family(*labels)?, statistic.kind, value)?;
    }
    Ok(())
}

fn sample(mut metric: MetricEncoder, kind: Kind, value: &Value) -> fmt::Result {
    match (value, kind) {
        (Value::Number(number), Kind::Counter) => metric.encode_counter::<NoLabelSet, _, u64>(number, None),
        (Value::Number(number), _) => metric.encode_gauge(number),
        (Value::Times(times), _) => {
            let sum = times.sum_ns() as f64 / 1e9;
            metric.encode_histogram::<NoLabelSet>(sum, times.count(), &buckets(times), None)
        }
    }
}

/// Their buckets in seconds, each with its own times only: powers of two from a microsecond to a quarter of a minute.
fn buckets(times: &Histogram) -> Vec<(f64, u64)> {
    let mut below = 0;
    let mut bucket = |end: f64, shorter: u64| (end, shorter - std::mem::replace(&mut below, shorter));
    let ends = (10..=34).map(|power| 1u64 << power);
    let mut all: Vec<_> = ends.map(|end| bucket(end as f64 / 1e9, times.shorter_than(end))).collect();
    all.push(bucket(f64::INFINITY, times.count()));
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value as Json, json};

    use super::*;
    use crate::export::DASHBOARD;
    use crate::export::reading::of_jvm;
    use crate::h2::sample::Sample;

    fn gathered() -> Gathered {
        let pool = json!({"tier": "pool", "fault_ns": {"sum": 9_000_000, "buckets": [[1280, 2], [2048, 3], [1u64 << 35, 1]]}});
        let told = json!({"enabled": true, "used_bytes": 5, "engine": {"fault_count": 7, "compress_ns": 1_500_000_000},
            "faults": [pool]});
        let labels = vec![("pid", "7".to_owned()), ("main", "a \"b\"".to_owned())];
        let readings = of_jvm(&Sample::of(told, Vec::new()).unwrap(), &labels, 5);
        let silent =
            Answered { labels: vec![("pid", "8".to_owned()), ("main", String::new())], readings: None };
        Gathered { jvms: vec![Answered { labels, readings: Some(readings) }, silent], disks: Vec::new() }
    }

    #[test]
    fn open_metrics_tells_units_and_ends() {
        let text = encode(gathered(), Format::OpenMetrics).unwrap();
        for line in [
            "# TYPE ztera_h2_compress_seconds counter",
            "# UNIT ztera_h2_compress_seconds seconds",
            r#"ztera_h2_compress_seconds_total{pid="7",main="a \"b\""} 1.5"#,
            r#"ztera_jvm_up{pid="8",main=""} 0"#,
        ] {
            assert!(text.lines().any(|it| it == line), "{line} in\n{text}");
        }
        assert!(text.ends_with("# EOF\n"), "{text}");
        assert!(!text.contains("ztera_disk") && !text.contains("ztera_h2_bd_reads"), "{text}");
    }

    /// A scraper wants all buckets of a histogram, cumulated, from the first scrape on.
    #[test]
    fn times_have_buckets_in_both_formats() {
        for format in [Format::OpenMetrics, Format::Prometheus] {
            let text = encode(gathered(), format).unwrap();
            assert!(text.contains("# TYPE ztera_h2_fault_seconds histogram\n"), "{text}");
            let of = |part: &str| {
                let lines =
                    text.lines().filter(|it| it.starts_with(&format!("ztera_h2_fault_seconds_{part}{{")));
                lines.map(|it| it.rsplit_once(' ').unwrap().1.parse().unwrap()).collect::<Vec<f64>>()
            };
            let cumulated = [vec![0.0, 2.0], vec![5.0; 23], vec![6.0]].concat();
            assert_eq!((of("bucket"), of("sum"), of("count")), (cumulated, vec![0.009], vec![6.0]), "{text}");
            assert!(
                text.contains(r#"tier="pool",le="+Inf"} 6"#) || text.contains(r#"le="+Inf",pid="#),
                "{text}"
            );
        }
    }

    #[test]
    fn the_older_format_has_whole_names() {
        let text = encode(gathered(), Format::Prometheus).unwrap();
        for line in [
            "# TYPE ztera_h2_faults_total counter",
            r#"ztera_h2_faults_total{pid="7",main="a \"b\""} 7.0"#,
            r#"ztera_h2_used_bytes{pid="7",main="a \"b\""} 5.0"#,
        ] {
            assert!(text.lines().any(|it| it == line), "{line} in\n{text}");
        }
        assert!(!text.contains("# UNIT") && !text.contains("# EOF"), "{text}");
    }

    /// All values of a key, wherever they are.
    fn values<'a>(key: &str, json: &'a Json, found: &mut Vec<&'a str>) {
        match json {
            Json::Object(object) => {
                found.extend(object.get(key).and_then(Json::as_str));
                object.values().for_each(|value| values(key, value, found));
            }
            Json::Array(array) => array.iter().for_each(|value| values(key, value, found)),
            _ => (),
        }
    }

    /// All names that something exports.
    fn names() -> BTreeSet<String> {
        let of = |group: Group, it: &Statistic| match it.kind {
            Kind::Histogram => {
                ["bucket", "sum", "count"].map(|part| format!("{}_{part}", group.exported(it))).to_vec()
            }
            _ => vec![group.exported(it)],
        };
        let all =
            GROUPS.into_iter().flat_map(|group| group.statistics.iter().flat_map(move |it| of(group, it)));
        all.chain([JVM_UP.0, DISK_UP.0].map(str::to_owned)).collect()
    }

    /// All names of ours in a text.
    fn named(text: &str) -> Vec<&str> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        words.filter(|word| word.starts_with("ztera_")).collect()
    }

    #[test]
    fn rules_of_the_document_name_what_there_is() {
        let document = include_str!("../../../docs/operating.md");
        let named = named(document);
        assert!(named.len() >= 4, "{named:?}");
        assert!(named.iter().all(|name| names().contains(*name)), "{named:?}");
    }

    #[test]
    fn the_dashboard_names_what_there_is() {
        let json: Json = serde_json::from_str(DASHBOARD).unwrap();
        let mut expressions = Vec::new();
        values("expr", &json, &mut expressions);
        values("query", &json["templating"], &mut expressions);
        // All but the list of sources name something.
        assert!(expressions.len() > 10);
        assert_eq!(expressions.iter().filter(|it| named(it).is_empty()).collect::<Vec<_>>(), [&"prometheus"]);
        for name in expressions.into_iter().flat_map(named) {
            assert!(names().contains(name), "nothing exports {name}");
        }
    }
}
