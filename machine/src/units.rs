// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Sizes and times, as people write and read them.

use std::time::Duration;

/// Bytes in one KiB.
pub const KIB: u64 = 1 << 10;
/// Bytes in one MiB.
pub const MIB: u64 = 1 << 20;
/// Bytes in one GiB.
pub const GIB: u64 = 1 << 30;

/// Reads a size as the JVM does: a number of bytes, or one with the suffix k, m, g or t (powers of 1024).
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a size: give a number with k, m, g or t, such as 512m");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).ok_or_else(wrong)
}

/// Reads a number that is greater than zero, and not absurdly large.
pub fn parse_positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number < 1e6 => Ok(number),
        _ => Err(format!("`{text}` is not a positive number")),
    }
}

/// A size for people: three or four digits and a unit.
pub fn show_size(bytes: u64) -> String {
    const UNITS: [(&str, u64); 4] = [("TiB", 1 << 40), ("GiB", GIB), ("MiB", MIB), ("KiB", 1 << 10)];
    for (unit, size) in UNITS {
        if bytes >= size {
            let value = bytes as f64 / size as f64;
            let decimals = if value < 10.0 {
                2
            } else if value < 100.0 {
                1
            } else {
                0
            };
            return format!("{value:.decimals$} {unit}");
        }
    }
    format!("{bytes} B")
}

/// A size for columns: at most five characters, and no space in it.
pub fn show_short(bytes: u64) -> String {
    let units = ["T", "G", "M", "K"].into_iter().zip([40, 30, 20, 10].map(|shift| 1 << shift));
    short(bytes as f64, units).unwrap_or_else(|| bytes.to_string())
}

/// The same for a count or a rate, in powers of 1000.
pub fn show_count(count: f64) -> String {
    short(count, [("G", 1e9 as u64), ("M", 1e6 as u64), ("k", 1000)]).unwrap_or_else(|| {
        let decimals = usize::from(count > 0.0 && count < 10.0);
        format!("{count:.decimals$}")
    })
}

fn short(value: f64, units: impl IntoIterator<Item = (&'static str, u64)>) -> Option<String> {
    let (unit, size) = units.into_iter().find(|(_, size)| value >= *size as f64)?;
    let value = value / size as f64;
    let decimals = usize::from(value < 9.95);
    Some(format!("{value:.decimals$}{unit}"))
}

/// A time in seconds for people: with the unit that leaves a few digits.
pub fn show_seconds(seconds: f64) -> String {
    match seconds {
        s if s >= 100.0 => format!("{s:.0} s"),
        s if s >= 1.0 => format!("{s:.1} s"),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s if s > 0.0 => format!("{:.2} us", s * 1e6),
        _ => "0 s".to_owned(),
    }
}

/// As [`show_seconds`].
pub fn show_duration(duration: Duration) -> String {
    show_seconds(duration.as_secs_f64())
}

/// A size in the form of a JVM flag's value: whole MiB, rounded down.
pub fn flag_mib(bytes: u64) -> String {
    format!("{}m", bytes / MIB)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_the_jvm_reads_them() {
        assert_eq!(parse_size("0"), Ok(0));
        assert_eq!(parse_size("4096"), Ok(4096));
        assert_eq!(parse_size("2k"), Ok(2048));
        assert_eq!(parse_size("512M"), Ok(512 * MIB));
        assert_eq!(parse_size("3GiB"), Ok(3 * GIB));
        for wrong in ["", "m", "-1", "1.5g", "12x", "99999999999t"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn positive_numbers_are_neither_zero_nor_odd() {
        assert_eq!(parse_positive("2.5"), Ok(2.5));
        for wrong in ["0", "-1", "NaN", "inf", "1e9", "", "two"] {
            assert!(parse_positive(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_shown_with_few_digits() {
        let shown = [0, 1023, 1536, 10 * MIB, 999 * MIB, 3_306_559_400].map(show_size);
        assert_eq!(shown, ["0 B", "1023 B", "1.50 KiB", "10.0 MiB", "999 MiB", "3.08 GiB"]);
    }

    #[test]
    fn columns_are_narrow() {
        assert_eq!(
            [0, 1023, 1536, 10 * MIB, 999 * MIB, 3 * GIB].map(show_short),
            ["0", "1023", "1.5K", "10M", "999M", "3.0G"]
        );
        assert_eq!(
            [0.0, 0.25, 9.0, 12.4, 999.0, 1234.0, 5e6].map(show_count),
            ["0", "0.2", "9.0", "12", "999", "1.2k", "5.0M"]
        );
    }

    #[test]
    fn times_are_shown_in_a_fitting_unit() {
        let shown = [0.0, 3.2e-6, 0.0456, 7.25, 123.4].map(show_seconds);
        assert_eq!(shown, ["0 s", "3.20 us", "45.6 ms", "7.2 s", "123 s"]);
    }
}
