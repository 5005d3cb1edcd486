// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Numbers in words.

use super::claim::Verdict;

/// `at least 5 times, but for 10 %`
pub fn expected(verdict: &Verdict) -> String {
    let bound = format!("{} {} {}", verdict.relation.words(), number(verdict.expected), verdict.unit);
    if verdict.tolerance == 0.0 {
        bound
    } else {
        format!("{bound}, but for {:.0} %", verdict.tolerance * 100.0)
    }
}

/// `1.02 (0.97 to 1.08)`, or nothing without a value.
pub fn measured(verdict: &Verdict) -> String {
    let bar =
        verdict.bar.map_or_else(String::new, |[low, high]| format!(" ({} to {})", number(low), number(high)));
    verdict.measured.map_or_else(String::new, |value| format!("{}{bar}", number(value)))
}

/// A claim that was not met, in a sentence.
pub fn lost(verdict: &Verdict) -> String {
    let measured = verdict.measured.map_or_else(|| "nothing".to_owned(), number);
    format!("{}: {measured}, expected {}.", verdict.claim, expected(verdict))
}

/// `1 step`, `2 steps`
pub fn counted(count: impl Into<u64>, name: &str) -> String {
    match count.into() {
        1 => format!("1 {name}"),
        count => format!("{count} {name}s"),
    }
}

/// Three digits at most, or all that stand before the point.
pub fn number(value: f64) -> String {
    let digits = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let decimals = if value.fract() == 0.0 { 0 } else { (2 - digits).clamp(0, 6) as usize };
    let shown = format!("{value:.decimals$}");
    if decimals > 0 { shown.trim_end_matches('0').trim_end_matches('.').to_owned() } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::claim::Expected;
    use crate::frame::claim::tests::judged;

    #[test]
    fn one_is_no_plural() {
        assert_eq!([0_u32, 1, 2].map(|count| counted(count, "step")), ["0 steps", "1 step", "2 steps"]);
    }

    #[test]
    fn a_lost_claim_is_a_sentence_with_numbers() {
        let verdict = judged(Expected::AtLeast(2.0), 0.0, Ok(1.0));
        assert_eq!(lost(&verdict), "It is so.: 1, expected at least 2 times.");
    }

    #[test]
    fn numbers_have_three_digits() {
        let shown = [0.0, 5.0, 1.5, 1.2345, 0.012345, 123.45, 12345.6].map(number);
        assert_eq!(shown, ["0", "5", "1.5", "1.23", "0.0123", "123", "12346"]);
    }
}
