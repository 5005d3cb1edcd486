#!/usr/bin/env python3
# Copyright (c) 2026, the ZTera authors.
# SPDX-License-Identifier: GPL-2.0-only WITH Classpath-exception-2.0
"""checks_test.py: each check of this folder complains of a bad input, and of nothing else."""

import unittest
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from unittest import mock

import circles
import collectors
import figures
import house
import layers
import lines
import prose
import situations
import subjects

RUST, SHELL, JAVA, DOCUMENT = Path("a.rs"), Path("a.sh"), Path("A.java"), Path("a.md")


class Prose(unittest.TestCase):
    def test_a_sentence_names_its_actor(self):
        self.assertEqual(len(prose.check(RUST, ["/// Counts units. Who faults serves", "/// itself."])), 1)
        self.assertEqual(len(prose.check(JAVA, ["/** What a group holds. */", "int a; // What is not a line"])), 1)
        self.assertEqual(len(prose.check(SHELL, ["# Which arm runs."])), 1)
        self.assertEqual(len(prose.check(DOCUMENT, ["| Name | What is counted |"])), 1)

    def test_questions_headings_and_examples_may_begin_so(self):
        self.assertEqual(prose.check(DOCUMENT, ["# What is ZTera", "", "Who pays? Nobody.", "", "```", "What now", "```"]), [])
        self.assertEqual(prose.check(RUST, ["//! ```text", "//! What is drawn", "//! ```", 'let a = "What is this";']), [])

    def test_a_sentence_of_a_document_is_short(self):
        words = "word " * 26
        self.assertEqual(len(prose.check(DOCUMENT, [words])), 1)
        self.assertEqual(prose.check(DOCUMENT, ["word " * 25, "", "One. " + "word " * 24]), [])
        self.assertEqual(prose.check(RUST, ["/// " + words]), [])

    def test_code_is_one_word_and_a_cell_is_a_sentence(self):
        self.assertEqual(prose.check(DOCUMENT, ["word " * 24 + "`a b c d`"]), [])
        self.assertEqual(prose.check(DOCUMENT, ["| " + "word " * 20 + "| " + "word " * 20 + "|"]), [])


class Lines(unittest.TestCase):
    def test_long_lines(self):
        self.assertEqual(len(lines.check(RUST, ["// " + "x" * 118])), 1)
        self.assertEqual(lines.check(RUST, ["// " + "x" * 117, "x" * 160]), [])
        self.assertEqual(len(lines.check(RUST, ["x" * 161])), 1)
        self.assertEqual(len(lines.check(SHELL, ["# " + "x" * 119])), 1)
        self.assertEqual(len(lines.check(Path("engine/a.rs"), ["// " + "x" * 158])), 1)


class Situations(unittest.TestCase):
    def test_a_row_names_the_test_below(self):
        text = ["// Bug: It failed. Situation: disk: a device", "// is full. Outcome: as zram.", "@Test", "void full() {"]
        row = "| disk | A device is full | as zram | [`full`](../A.java) |"
        self.assertEqual(list(situations.rows(JAVA, text)), [(row, None)])

    def test_a_mark_that_cannot_be_read_is_told(self):
        for text in (["// Situation: disk is full.", "void full() {"], ["// Situation: disk: full. Outcome: well.", "int a;"]):
            self.assertEqual([row for row, _ in situations.rows(JAVA, text)], [None])

    def test_the_table_replaces_the_old_one(self):
        old = f"above\n{situations.BEGIN}\n| old |\n{situations.END}\nbelow\n"
        new = situations.with_table(old, ["| b |", "| a |"])
        self.assertEqual(new.splitlines()[4:6], ["| a |", "| b |"])
        self.assertTrue(new.startswith("above\n") and new.endswith(f"{situations.END}\nbelow\n"))
        self.assertNotIn("old", new)


class Subjects(unittest.TestCase):
    def test_bad_subjects(self):
        for subject in ["Fix it", "range: Fix it", "range: fixed it", "range: the fix", "range: fix it.", "range: " + "x" * 70]:
            self.assertIsNotNone(subjects.complaint(subject), subject)

    def test_good_subjects(self):
        for subject in ["range: fix it", "h2, range: feed the pool", "docs: tell one page's life"]:
            self.assertIsNone(subjects.complaint(subject), subject)


class Collectors(unittest.TestCase):
    def test_h2_names_no_collector(self):
        neutral = Path("h2Budget.cpp")
        for line in ['#include "gc/parallel/psOldGen.hpp"', '#include "gc/h2/parallel/h2Parallel.hpp"', "PSOldGen* old;",
                     "return UseG1GC;", "ParallelScavengeHeap::heap()->workers();"]:
            self.assertEqual(len(collectors.check(neutral, [line])), 1, line)

    def test_a_collector_is_named_in_its_folder(self):
        inside = Path("parallel/h2Parallel.cpp")
        self.assertEqual(collectors.check(inside, ['#include "gc/parallel/psOldGen.hpp"', "PSOldGen* old;"]), [])
        self.assertEqual(len(collectors.check(inside, ["G1CollectedHeap::heap();"])), 1)

    def test_a_collector_is_chosen_in_two_files(self):
        chooses = ['#include "gc/h2/parallel/h2Parallel.inline.hpp"', "bool H2Collectors::select() { return H2Parallel::select(); }"]
        for name in collectors.CHOOSES:
            self.assertEqual(collectors.check(Path(name), chooses), [])
            self.assertEqual(len(collectors.check(Path(name), ["PSOldGen* old;"])), 1)

    def test_a_second_collector_could_define_the_same(self):
        for line in ["inline bool H2Collectors::is_young(oop obj) {", "HeapWord* H2Collectors::first_marked(HeapWord* from, HeapWord* to) {",
                     "bool H2Collectors::select() { return UseParallelGC; }"]:
            self.assertEqual(len(collectors.check(Path("parallel/h2Parallel.inline.hpp"), [line])), 1, line)
        for line in ["  if (H2Collectors::is_young(obj)) {", "inline bool H2Parallel::is_young(oop obj) {"]:
            self.assertEqual(collectors.check(Path("parallel/h2Parallel.inline.hpp"), [line]), [], line)

    def test_only_the_fence_knows_where_h2_lies(self):
        self.assertEqual(len(collectors.check(Path("h2Budget.cpp"), ["return p < H2Heap::end();"])), 1)
        self.assertEqual(collectors.check(Path("h2Fence.hpp"), ["return p < H2Fence::_end;"]), [])

    def test_words_are_no_names(self):
        lines = ["// as in PSScavenge", 'log("the Parallel collector");', "work(ParallelGCThreads);", '#include "gc/shared/gcCause.hpp"']
        self.assertEqual(collectors.check(Path("h2Budget.cpp"), lines), [])


class Layers(unittest.TestCase):
    def test_dependencies_point_down(self):
        self.assertEqual(layers.check({"cli": ["engine/range"], "engine/models/pool": ["engine/models/sync"]}), [])
        self.assertEqual(len(layers.check({"engine/range": ["cli"]})), 1)
        self.assertEqual(layers.check({"cli": ["measure", "machine"], "lab": ["measure", "engine/range"]}), [])
        self.assertEqual(len(layers.check({"lab": ["cli"], "machine": ["lab"]})), 2)
        self.assertEqual(len(layers.check({"cli": ["lab"]})), 1)
        self.assertEqual(len(layers.check({"engine/policy": ["engine/codec"]})), 1)

    def test_every_crate_has_a_place(self):
        self.assertEqual(len(layers.check({"elsewhere": []})), 1)


class Circles(unittest.TestCase):
    def test_modules_that_import_each_other(self):
        sources = {
            (): "mod a;\nmod b;\nuse a::{One, c::Two};",
            ("a",): "pub mod c;\nuse crate::b::Three;",
            ("a", "c"): "use super::super::b;",
            ("b",): "use std::fmt;\n#[cfg(test)]\nmod tests {\n    use crate::a::One;\n}",
        }
        self.assertEqual(circles.circles(circles.imports(sources)), [])
        self.assertEqual(circles.circles(circles.imports({**sources, ("b",): "fn f() { crate::a::c::two() }"})), [["a::c", "b"]])

    def test_files_of_a_class_count_as_one(self):
        sources = {"h2A.hpp": "", "h2A.cpp": '#include "gc/h2/h2B.inline.hpp"', "h2B.hpp": '#include "gc/h2/h2A.hpp"', "h2C.hpp": '#include "h2B.hpp"'}
        self.assertEqual(circles.knows(sources), {"h2A": {"h2B"}, "h2B": {"h2A"}, "h2C": {"h2B"}})
        self.assertEqual(circles.class_circles(sources), [["h2A", "h2B"]])

    def test_a_class_knows_what_it_calls(self):
        below = {"h2Low.hpp": "class H2Low : AllStatic {\n  static void f();\n};", "h2Low.cpp": "void H2Low::f() {}",
                 "h2Top.hpp": "class H2Low;\nclass H2Top {\n  friend class H2Low;\n};", "h2Top.cpp": "void g() { H2Low::f(); }"}
        self.assertEqual(circles.knows(below), {"h2Low": set(), "h2Top": {"h2Low"}})
        self.assertEqual(circles.class_circles(below), [])
        for text in ['#include "gc/h2/h2Top.hpp"', "void H2Low::f() { H2Top::g(); }"]:
            self.assertEqual(circles.class_circles({**below, "h2Low.cpp": text}), [["h2Low", "h2Top"]])
        for text in ["void H2Low::f() {}  // as H2Top::g() does", "void H2Low::f(H2Top* top) {}"]:
            self.assertEqual(circles.class_circles({**below, "h2Low.cpp": text}), [])

    def test_a_circle_anywhere_fails(self):
        for name in ["rust_circles", "hotspot_circles"]:
            with mock.patch.object(circles, name, lambda: ["a circle"]), redirect_stdout(StringIO()) as out:
                self.assertTrue(circles.main())
                self.assertTrue(house.main())
            self.assertIn("circle: a circle", out.getvalue())


class House(unittest.TestCase):
    SOURCE = """
pub fn f() { assert!(true); } // assert!(false)
#[cfg(test)]
mod tests {
    fn g() { assert_eq!(1, 1); std::env::var("A"); }
}
"""

    def test_lines_have_a_purpose(self):
        sources = [(Path("engine/a/src/lib.rs"), self.SOURCE), (Path("engine/a/tests/a.rs"), "\n"), (Path("lab/src/a.rs"), "\n\n")]
        found = house.lines_by_folder(sources)
        self.assertEqual(found["engine"], {"product": 2, "tests": 5, "laboratory": 0})
        self.assertEqual(found["lab"], {"product": 0, "tests": 0, "laboratory": 2})

    def test_assertions_of_tests_do_not_count(self):
        self.assertEqual(house.assertions([(Path("engine/a/src/lib.rs"), self.SOURCE)]), (1, 1))

    def test_the_environment_is_for_tests(self):
        path = Path("ffi/src/a.rs")
        self.assertEqual(house.reads_environment([(path, self.SOURCE)]), [])
        self.assertEqual(house.reads_environment([(path, 'fn f() { std::env::var_os("A"); }')]), ["ffi/src/a.rs"])


class Figures(unittest.TestCase):
    TABLE = ["| a | time |", "|---|---|", "| x | 1.2 s |"]

    def test_measurements_name_their_command(self):
        self.assertEqual(len(figures.check(DOCUMENT, self.TABLE)), 1)
        self.assertEqual(figures.check(DOCUMENT, ["<!-- printed by: ztera sim -->", *self.TABLE]), [])
        self.assertEqual(figures.check(DOCUMENT, ["| a | b |", "|---|---|", "| x | a word |"]), [])


if __name__ == "__main__":
    unittest.main()
