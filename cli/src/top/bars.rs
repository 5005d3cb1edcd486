// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Bars of a given width.

/// How full something is, as a bar of so many characters.
pub fn bar(value: u64, limit: u64, width: usize) -> String {
    let share = if limit == 0 { 0.0 } else { (value as f64 / limit as f64).min(1.0) };
    let mut full = (share * width as f64).round() as usize;
    if value > 0 {
        full = full.max(1);
    }
    format!("{}{}", "█".repeat(full), "░".repeat(width - full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_is_seen() {
        assert_eq!(
            [0, 1, 50, 100, 200].map(|value| bar(value, 100, 4)),
            ["░░░░", "█░░░", "██░░", "████", "████"]
        );
        assert_eq!(bar(0, 0, 2), "░░");
    }
}
