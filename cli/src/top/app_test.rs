// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use serde_json::{Value, json};
use ztera_machine::jvm::Listed;

use super::*;
use crate::h2::sample::Sample;

fn picture(app: &App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| app.draw(frame)).unwrap();
    terminal.backend().to_string()
}

fn told(faults: u64) -> Value {
    json!({"enabled": true, "capacity_bytes": 8u64 << 30, "used_bytes": 6u64 << 30, "regions_used": 12, "regions_total": 64,
        "labels": [{"label": 3, "regions": 2, "used_bytes": 5u64 << 30}],
        "memory": {"limit_bytes": 4u64 << 30, "h1_bytes": 1 << 30, "beside_bytes": 1 << 28, "staging_bytes": 0, "h2_bytes": 2u64 << 30},
        "engine": {"fault_count": faults, "resident_bytes": 1 << 30, "mem_used_total": 1 << 30, "orig_data_size": 3u64 << 30}})
}

fn round(pids: &[u32], faults: u64) -> Round {
    let listed = |pid: &u32| Listed { pid: *pid, main: format!("org.app.Main{pid}") };
    pids.iter().map(|pid| (listed(pid), Ok(Sample::of(told(faults), Vec::new()).unwrap()))).collect()
}

fn press(app: &mut App, code: KeyCode) {
    app.press(KeyEvent::new(code, KeyModifiers::NONE));
}

#[test]
fn several_are_listed_and_one_is_looked_at() {
    let mut app = App::new(None, 1.0);
    assert!(picture(&app, 80, 24).contains("Asking"));
    app.take(round(&[7, 8], 0));
    app.take(round(&[7, 8], 1000));
    let list = picture(&app, 80, 24);
    assert!(
        list.contains("org.app.Main7") && list.contains("org.app.Main8") && list.contains("faults/s"),
        "{list}"
    );
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Enter);
    let details = picture(&app, 80, 24);
    for text in [
        "8 org.app.Main8",
        "Tiers",
        "6.0G of 8.0G",
        "holds 3.0G, 3.00 times smaller",
        "H1 1.0G, H2 2.0G",
        "Events",
    ] {
        assert!(details.contains(text), "{text} in\n{details}");
    }
    press(&mut app, KeyCode::Esc);
    assert_eq!(picture(&app, 80, 24), list);
    press(&mut app, KeyCode::Char('q'));
    assert!(app.is_over());
}

#[test]
fn the_chosen_one_stays_chosen_when_others_end() {
    let mut app = App::new(None, 1.0);
    app.take(round(&[7, 8, 9], 0));
    press(&mut app, KeyCode::Down);
    app.take(round(&[8, 9], 0));
    press(&mut app, KeyCode::Enter);
    assert!(picture(&app, 80, 24).contains("8 org.app.Main8"));
    app.take(Round::new());
    assert!(picture(&app, 80, 24).contains("no ZTera JVM that runs. `ztera java` starts one."));
}

#[test]
fn one_that_was_named_is_shown_until_it_ends() {
    let mut app = App::new(Some("app.Main"), 1.0);
    app.take(round(&[7], 0));
    assert!(picture(&app, 80, 24).contains("Tiers"));
    app.take(Round::new());
    assert!(picture(&app, 80, 24).contains("app.Main has ended."));
}

#[test]
fn one_without_numbers_says_why() {
    let mut app = App::new(None, 1.0);
    let listed = Listed { pid: 7, main: "A".to_owned() };
    app.take(vec![(listed.clone(), Err("it is stopped".to_owned()))]);
    assert!(picture(&app, 80, 24).contains("A (does not answer)"));
    press(&mut app, KeyCode::Enter);
    assert!(picture(&app, 80, 24).contains("(it is stopped)"));
    app.take(vec![(listed, Ok(Sample::of(json!({"enabled": false}), Vec::new()).unwrap()))]);
    assert!(picture(&app, 80, 24).contains("-XX:H2Size"));
}

#[test]
fn a_terminal_that_is_too_small_is_told_so() {
    assert!(picture(&App::new(None, 1.0), 60, 10).contains("60x10 is too small"));
}
