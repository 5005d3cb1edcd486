// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The file of counters of a JVM whose collections take a second each.

/// Ticks of the JVM's clock in a second.
const SECOND: i64 = 1_000_000_000;

/// 3 young collections and a full one; of a program that was started with an argument.
pub fn file(main: &str) -> Vec<u8> {
    let command = format!("{main} --argument\0");
    let mut entries = vec![
        entry("sun.rt.javaCommand", b'B', command.len(), command.as_bytes()),
        number("sun.os.hrt.frequency", SECOND),
    ];
    for (collector, collections) in [(0, 3), (1, 1)] {
        let counter = |name: &str, value| number(&format!("sun.gc.collector.{collector}.{name}"), value);
        entries.extend([
            counter("invocations", collections),
            counter("time", collections * SECOND),
            counter("lastEntryTime", 7 * SECOND),
            counter("lastExitTime", 8 * SECOND),
        ]);
    }
    let little = u8::from(cfg!(target_endian = "little"));
    let mut bytes = vec![0xca, 0xfe, 0xc0, 0xc0, little, 2, 0, 1];
    bytes.resize(24, 0);
    bytes.extend(32i32.to_ne_bytes());
    bytes.extend((entries.len() as i32).to_ne_bytes());
    bytes.extend(entries.concat());
    bytes
}

fn number(name: &str, value: i64) -> Vec<u8> {
    entry(name, b'J', 0, &value.to_ne_bytes())
}

fn entry(name: &str, kind: u8, elements: usize, value: &[u8]) -> Vec<u8> {
    let data = (20 + name.len() + 1).next_multiple_of(8);
    let length = (data + value.len()).next_multiple_of(8);
    let words = [length, 20, elements].map(|word| (word as i32).to_ne_bytes());
    let mut bytes = words.concat();
    bytes.extend([kind, 0, 0, 0]);
    bytes.extend((data as i32).to_ne_bytes());
    bytes.extend(name.as_bytes());
    bytes.resize(data, 0);
    bytes.extend(value);
    bytes.resize(length, 0);
    bytes
}
