//! What shows statistics shows all of them, under their names.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use ztera_metrics::{ALL, OFFLOAD, Offload, Statistic, Stats};

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
    let all: Vec<_> = ALL.iter().chain(OFFLOAD).collect();
    for (i, statistic) in all.iter().enumerate() {
        assert!(statistic.meaning.ends_with('.'), "{statistic:?}");
        assert!(all[..i].iter().all(|other| other.name != statistic.name), "{statistic:?} comes twice");
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
        `engine`, C programs in `zt_stats`; `ztera stat --all PID` prints them.\n\n\
        | Name | Unit | Kind | Meaning | In zram |\n|---|---|---|---|---|\n"
        .to_owned();
    ALL.iter().for_each(|statistic| line(&mut fresh, statistic));
    fresh += "\n## Of an accelerator\n\n`ztera disk stat` has these where the device is served with `--accelerator`.\n\n\
        | Name | Unit | Kind | Meaning | In zram |\n|---|---|---|---|---|\n";
    OFFLOAD.iter().for_each(|statistic| line(&mut fresh, statistic));
    let path = file("docs/statistics.md");
    if std::env::var_os("ZTERA_BLESS").is_some() {
        std::fs::write(&path, &fresh).expect("the document can be written");
    }
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        old == fresh,
        "docs/statistics.md is stale: run `ZTERA_BLESS=1 cargo test -p ztera-metrics` and commit it"
    );
}

fn line(table: &mut String, s: &Statistic) {
    let zram = if s.zram { "yes" } else { "" };
    let (unit, kind) = (s.unit.name(), s.kind.name());
    writeln!(table, "| `{}` | {unit} | {kind} | {} | {zram} |", s.name, s.meaning).expect("memory");
}
