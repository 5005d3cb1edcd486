// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The file of counters of a JVM whose collections take a second each.

use ztera_kit::perf_data::{self, number, text};

/// Ticks of the JVM's clock in a second.
const SECOND: i64 = 1_000_000_000;

/// 3 young collections and a full one; of a program that was started with an argument.
pub fn file(main: &str) -> Vec<u8> {
    let command = format!("{main} --argument\0");
    let mut entries =
        vec![text("sun.rt.javaCommand", command.as_bytes()), number("sun.os.hrt.frequency", SECOND)];
    for (collector, collections) in [(0, 3), (1, 1)] {
        let counter = |name: &str, value| number(&format!("sun.gc.collector.{collector}.{name}"), value);
        entries.extend([
            counter("invocations", collections),
            counter("time", collections * SECOND),
            counter("lastEntryTime", 7 * SECOND),
            counter("lastExitTime", 8 * SECOND),
        ]);
    }
    perf_data::file(&entries)
}
