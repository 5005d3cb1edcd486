// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Addresses in the texts of a JVM.

use std::ops::Range;

/// All hexadecimal numbers that begin with `0x`, in their order.
pub fn all(text: &str) -> Vec<u64> {
    let starts = text.match_indices("0x").map(|(at, _)| &text[at + 2..]);
    let digits =
        starts.map(|rest| &rest[..rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len())]);
    digits.filter_map(|digits| u64::from_str_radix(digits, 16).ok()).collect()
}

/// From the first to the last address behind `before`; `[start, used, end)` is the usual form.
pub fn span(line: &str, before: char) -> Option<Range<u64>> {
    let addresses = all(&line[line.find(before)?..]);
    let (first, last) = (*addresses.first()?, *addresses.last()?);
    (first < last).then_some(first..last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_from_first_to_last() {
        assert_eq!(span("Old total 8K [0x0010, 0x0018, 0x0020)", '['), Some(0x10..0x20));
        assert_eq!(span("at: [0x10-0x18-0x20), size 7, Base: x", '['), Some(0x10..0x20));
        assert_eq!(span("nothing", '['), None);
        assert_eq!(span("[0x20, 0x10]", '['), None);
    }
}
