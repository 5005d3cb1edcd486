// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

use ztera_machine::units::show_seconds;

use super::drawn::words;
use super::folder::Folder;
use super::*;

fn count(plot: &Plot, element: &str) -> usize {
    draw::svg(plot).unwrap().matches(&format!("<{element} ")).count()
}

fn spread(least: f64, median: f64, most: f64) -> Option<Spread> {
    Some(Spread { median, least, most })
}

/// An arm with both values, one with the first alone, one without any.
fn plot(form: Form) -> Plot {
    let sum = spread(2.0, 5.0, 6.0);
    let rows = vec![
        Row { sum, ..Row::new("engine <a>", vec![spread(1.0, 2.0, 4.0), spread(3.0, 3.0, 3.0)]) },
        Row { sum: spread(7.0, 7.0, 7.0), ..Row::new("zram & b", vec![spread(7.0, 7.0, 7.0), None]) },
        Row { missing: "does not fit".to_owned(), ..Row::new("swap", vec![None, None]) },
    ];
    Plot {
        name: "made-up",
        title: "All that is made up",
        about: "2 rounds".to_owned(),
        axis: Axis { label: "seconds", show: show_seconds, line: None },
        form,
        series: vec!["first", "second"],
        groups: vec![
            Group { title: "nobody".to_owned(), rows: Vec::new() },
            Group { title: "somebody".to_owned(), rows },
        ],
        notes: vec!["ssd is left out: no such disk".to_owned()],
    }
}

#[test]
fn every_arm_is_named_also_the_one_without_a_value() {
    for form in [Form::Dots, Form::Bars, Form::Stack] {
        let words = words(&plot(form));
        let wanted = ["All that is made up", "2 rounds", "first", "second", "somebody", "seconds"];
        for word in
            wanted.into_iter().chain(["engine <a>", "zram & b", "swap", "does not fit", "ssd is left out"])
        {
            assert!(words.contains(word), "{word} in {form:?}:\n{words}");
        }
        assert!(!words.contains("nobody"), "a group without arms in {form:?}:\n{words}");
    }
}

#[test]
fn rows_of_one_title_are_a_group() {
    let row = |number: &i32| Row::new(&number.to_string(), Vec::new());
    let groups = Group::by([1, 2, 3, 4], |number| (number % 2).to_string(), row);
    let shown: Vec<_> = groups.iter().map(|group| (group.title.as_str(), group.rows.len())).collect();
    assert_eq!(shown, [("1", 2), ("0", 2)]);
}

#[test]
fn bars_have_their_values_beside_them() {
    let bars = words(&plot(Form::Bars));
    assert!(bars.contains("2.0 s\n") && bars.contains("3.0 s\n") && bars.contains("7.0 s\n"), "{bars}");
    let stack = words(&plot(Form::Stack));
    assert!(stack.contains("5.0 s\n"), "the sum in\n{stack}");
}

#[test]
fn series_differ_in_shape() {
    // One in the legend, and one per value.
    assert_eq!(count(&plot(Form::Dots), "circle"), 1 + 2);
    assert_eq!(count(&plot(Form::Dots), "polygon"), 1 + 1);
}

#[test]
fn nothing_at_all_is_at_the_beginning_of_a_logarithmic_axis() {
    let rows = vec![Row::new("nothing", vec![spread(0.0, 0.0, 1.0)]), Row::new("nobody", vec![None])];
    let plot = Plot { groups: vec![Group { title: String::new(), rows }], ..plot(Form::Dots) };
    let range = axis::range(&plot);
    assert!(range.start > 0.0 && range.start < range.end, "{range:?}");
    assert!(words(&plot).contains("nobody\nmissing\n"));
}

#[test]
fn the_ground_is_white() {
    let svg = draw::svg(&plot(Form::Dots)).unwrap();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let ground = document.root_element().first_element_child().unwrap();
    let sides = |name: &str| (ground.attribute(name), document.root_element().attribute(name));
    assert_eq!((ground.tag_name().name(), ground.attribute("fill")), ("rect", Some("#FFFFFF")));
    for (of_ground, of_all) in [sides("width"), sides("height")] {
        assert!(of_all.is_some() && of_ground == of_all, "{of_ground:?} of {of_all:?}");
    }
}

#[test]
fn notes_are_wrapped_and_cut() {
    let with = |count: usize| words(&Plot { notes: vec!["word ".repeat(count)], ..plot(Form::Bars) });
    let lines = |text: &str| text.lines().filter(|line| line.starts_with("word")).count();
    let all = with(60);
    assert_eq!((lines(&all), all.matches("word").count()), (3, 60));
    let cut = with(90);
    assert!(lines(&cut) == 3 && cut.ends_with("...\n"), "{cut}");
}

#[test]
fn a_value_that_is_turned_round_keeps_its_spread_in_order() {
    let half = Spread { median: 2.0, least: 1.0, most: 4.0 }.map(|value| 4.0 / value);
    assert_eq!(half, Spread { median: 2.0, least: 1.0, most: 4.0 });
}

#[test]
fn plots_become_files_that_are_called_after_them() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("new/plots");
    let folder = Folder::open(&path).unwrap();
    let empty = Plot { name: "empty", groups: Vec::new(), ..plot(Form::Bars) };
    folder.write(&[plot(Form::Bars), empty]).unwrap();
    let names: Vec<_> = path.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["made-up.svg"]);
}

#[test]
fn a_folder_that_takes_no_files_is_an_error() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = format!("{:#}", Folder::open(&file.path().join("plots")).unwrap_err());
    assert!(error.contains("plots cannot be written to") && error.contains("Not a directory"), "{error}");
}

#[test]
fn a_heat_map_has_a_value_or_a_word_in_each_field() {
    let titles = Row { words: vec!["0 %".to_owned(), "50 %".to_owned()], ..Row::new("limit", Vec::new()) };
    let values = vec![None, spread(2.0, 3.0, 3.0)];
    let cells = Row { words: vec!["X".to_owned(), String::new()], ..Row::new("75 %", values) };
    let groups = vec![Group { title: "is A".to_owned(), rows: vec![titles, cells] }];
    let plot = Plot { form: Form::Heat, groups, series: Vec::new(), ..plot(Form::Bars) };
    let words = words(&plot);
    assert!(words.contains("is A\nlimit\n0 %\n50 %\n75 %\nX\n3.0 s\n"), "{words}");
    // The ground, a field with its frame, and the frame around the word.
    assert_eq!(count(&plot, "rect"), 1 + 2 + 1);
}
