//! Each place that shows statistics shows all of them, under their names.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use ztera_metrics::{
    ALL, GROUPS, Group, HEAP, Kind, LABEL, MEMORY, OF_ENGINE, OF_FAULTS, OF_HEAP, OF_MEMORY, OF_OFFLOAD,
    OFFLOAD, Offload, Stats, Unit,
};

fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn names() -> Vec<&'static str> {
    ALL.iter().map(|statistic| statistic.name).collect()
}

#[test]
fn each_is_set_by_its_name_and_read_in_its_place() {
    let mut stats = Stats::default();
    for (value, name) in names().into_iter().enumerate() {
        assert!(stats.set(name, value as u64), "{name}");
    }
    assert!(stats.values().into_iter().eq(0..ALL.len() as u64));
    assert!(!stats.set("no_such_statistic", 1));
    let mut offload = Offload::default();
    assert!(OFFLOAD.iter().all(|statistic| offload.set(statistic.name, 7)));
    assert_eq!(offload.values(), [7; OFFLOAD.len()]);
}

#[test]
fn each_has_one_sentence_and_a_name_of_its_own() {
    for Group { statistics, .. } in GROUPS {
        for (i, statistic) in statistics.iter().enumerate() {
            assert!(statistic.meaning.ends_with('.'), "{statistic:?}");
            assert!(
                statistics[..i].iter().all(|other| other.name != statistic.name),
                "{statistic:?} comes twice"
            );
        }
    }
}

#[test]
fn names_for_prometheus_follow_its_conventions() {
    let named = |name: &str| OF_ENGINE.exported(ALL.iter().find(|it| it.name == name).expect("it is there"));
    assert_eq!(named("orig_data_size"), "ztera_h2_orig_data_bytes");
    assert_eq!(named("mem_used_total"), "ztera_h2_mem_used_bytes");
    assert_eq!(named("fault_count"), "ztera_h2_faults_total");
    assert_eq!(named("bd_count"), "ztera_h2_bd_units");
    assert_eq!(named("bd_read_ns"), "ztera_h2_bd_read_seconds_total");
    assert_eq!(named("bd_write_bytes"), "ztera_h2_bd_write_bytes_total");
    let mut all: Vec<String> = Vec::new();
    for group in GROUPS {
        for statistic in group.statistics {
            let name = group.exported(statistic);
            assert_eq!(name.ends_with("_total"), statistic.kind == Kind::Counter, "{name}");
            assert!(!["_count", "_sum", "_bucket", "_info"].iter().any(|end| name.ends_with(end)), "{name}");
            assert!(!all.contains(&name), "{name} comes twice");
            all.push(name);
        }
    }
}

/// All names of numbers that the VM's source prints as JSON, but for what is no statistic.
#[test]
fn the_json_of_the_vm_is_defined() {
    let path = file("hotspot/src/hotspot/share/gc/h2/h2Stats.cpp");
    let text = std::fs::read_to_string(&path).expect("the overlay is in this repository");
    let mut printed: Vec<&str> =
        text.split("\\\"").skip(1).step_by(2).filter(|it| !it.contains(['%', ' '])).collect();
    let others =
        ["enabled", "backing", "labels", "label", "region_list", "region", "engine", "memory", "decisions"];
    printed.retain(|name| !others.contains(name));
    let defined = || [HEAP, MEMORY, LABEL].into_iter().flatten();
    for name in &printed {
        assert!(defined().any(|it| it.name == *name), "{name} of {} is not defined", path.display());
    }
    for statistic in defined() {
        assert!(printed.contains(&statistic.name), "{} does not print {}", path.display(), statistic.name);
    }
}

/// `jstat` reads no other names.
#[test]
fn the_counters_of_the_vm_are_defined() {
    let path = file("hotspot/src/hotspot/share/gc/h2/h2PerfData.cpp");
    let text = std::fs::read_to_string(&path).expect("the overlay is in this repository");
    let table = text.split("#define H2_HEAP_COUNTERS_DO(f)").nth(1).expect("the table is there");
    let table = table.split("\n\n").next().unwrap_or_default();
    let named: Vec<&str> = table.split(" f(").skip(1).filter_map(|entry| entry.split(',').next()).collect();
    assert!(named.len() > MEMORY.len(), "{named:?}");
    for name in named {
        let defined = match name.strip_prefix("memory_") {
            Some(part) => MEMORY.iter().any(|it| it.name == part),
            None => HEAP.iter().any(|it| it.name == name),
        };
        assert!(defined, "{name} of {} is not defined", path.display());
    }
}

/// Two were lost on the way to `jcmd GC.h2_info json` once: the VM's table did not name them.
#[test]
fn the_table_of_the_vm_names_each() {
    let path = file("hotspot/src/hotspot/share/gc/h2/h2Backend.hpp");
    let text = std::fs::read_to_string(&path).expect("the overlay is in this repository");
    let table = text.split("#define H2_ENGINE_STATS_DO(f)").nth(1).expect("the table is there");
    let table = table.split("\n\n").next().unwrap_or_default();
    let entries = table.split("f(").skip(1).filter_map(|entry| entry.split(')').next());
    assert_eq!(entries.collect::<Vec<_>>(), names(), "{}", path.display());
}

#[test]
fn the_document_is_fresh() {
    let mut fresh = "# Statistics of the engine\n\n\
        Made from `engine/metrics` by `ZTERA_BLESS=1 cargo test -p ztera-metrics`. `jcmd PID GC.h2_info json` has them in \
        `engine`, C programs in `zt_stats`; `ztera stat --all PID` prints them. `ztera export` has all of this page under \
        the names for Prometheus, in seconds where the unit is ns.\n\n"
        .to_owned();
    table(&mut fresh, &OF_ENGINE);
    for group in GROUPS.iter().filter(|group| group.title != OF_ENGINE.title) {
        write!(fresh, "\n## Of {}\n\n", group.title).expect("memory");
        if group.title == OF_HEAP.title {
            fresh += "`GC.h2_info json` also has `decisions`: the last 16 with `uptime_seconds` and `reason`, as the log has \
                them. `jstat -J-Djstat.showUnsupported=true -snap PID` prints all but labels as `sun.gc.h2.NAME`. There, \
                `engine_` and `memory_` are in front of names of these.\n\n";
        }
        if group.title == OF_FAULTS.title {
            fresh += "`jcmd PID GC.h2_info json` has a list `faults`. It has the sum in ns, and of each bucket that is \
                not empty its least time in ns and its count. A bucket is an eighth of a power of two. Prometheus gets powers of two.\n\n";
        }
        if group.title == OF_OFFLOAD.title {
            fresh += "`ztera disk stat` has these where the device is served with `--accelerator`.\n\n";
        }
        table(&mut fresh, group);
    }
    is_fresh("docs/statistics.md", &fresh);
}

/// The source of the meters of `org.ztera.micrometer`. An attribute is called as `org.ztera.monitor.Numbers` does it.
#[test]
fn the_table_for_micrometer_is_fresh() {
    let mut fresh = String::new();
    for (group, part) in [(OF_HEAP, ""), (OF_ENGINE, "engine_"), (OF_MEMORY, "memory_")] {
        for s in group.statistics {
            let attribute = camel(&format!("{part}{}", s.name));
            let meter = group.exported(s).trim_end_matches("_total").replace('_', ".");
            let unit = s.base_unit().unwrap_or_default();
            let per_unit = if s.unit == Unit::Nanoseconds { 1e9 } else { 1.0 };
            writeln!(fresh, "{attribute}\t{meter}\t{}\t{unit}\t{per_unit}\t{}", s.kind.name(), s.meaning)
                .expect("memory");
        }
    }
    is_fresh("java/micrometer/src/main/resources/org/ztera/micrometer/statistics.tsv", &fresh);
}

fn camel(name: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').map(word).collect()
}

fn is_fresh(name: &str, fresh: &str) {
    let path = file(name);
    if std::env::var_os("ZTERA_BLESS").is_some() {
        std::fs::write(&path, fresh).expect("the file can be written");
    }
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(old == fresh, "{name} is stale: run `ZTERA_BLESS=1 cargo test -p ztera-metrics` and commit it");
}

fn table(text: &mut String, group: &Group) {
    *text += "| Name | Unit | Kind | Meaning | In zram | For Prometheus |\n|---|---|---|---|---|---|\n";
    for s in group.statistics {
        let zram = if s.zram { "yes" } else { "" };
        let (unit, kind, exported) = (s.unit.name(), s.kind.name(), group.exported(s));
        writeln!(text, "| `{}` | {unit} | {kind} | {} | {zram} | `{exported}` |", s.name, s.meaning)
            .expect("memory");
    }
}
