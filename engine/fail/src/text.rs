//! Rules as a text, for tests that are not written in Rust.

use std::fmt;
use std::time::Duration;

use crate::scenario::{Failure, Rule, replace};

/// A line that is no rule.
#[derive(Debug, PartialEq, Eq)]
pub struct Mistake(String);

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a rule: {}", self.0)
    }
}

impl std::error::Error for Mistake {}

/// Replaces all rules by those of a text, one a line: `POINT FAILURE [after=N] [gap=N] [times=N]`. FAILURE is
/// `errno=N`, `delay=MILLISECONDS` or `panic`; after N times that work, it fails (`times=N`: so often), with a gap
/// of N times that work before each. An empty text lets everything work again. After a mistake the old rules hold.
pub fn instruct(text: &str) -> Result<(), Mistake> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let rules = lines.map(|line| rule(line).ok_or_else(|| Mistake(line.to_owned())));
    replace(rules.collect::<Result<_, _>>()?);
    Ok(())
}

fn rule(line: &str) -> Option<Rule> {
    let mut words = line.split_whitespace();
    let mut rule = Rule::new(words.next()?, failure(words.next()?)?);
    for word in words {
        let (name, value) = word.split_once('=')?;
        let value = value.parse().ok()?;
        match name {
            "after" => rule.skip = value,
            "gap" => rule.gap = value,
            "times" => rule.left = value,
            _ => return None,
        }
    }
    Some(rule)
}

fn failure(word: &str) -> Option<Failure> {
    match word.split_once('=') {
        None if word == "panic" => Some(Failure::Panic),
        Some(("errno", number)) => number.parse().ok().map(Failure::Errno),
        Some(("delay", time)) => time.parse().ok().map(|time| Failure::Delay(Duration::from_millis(time))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scenario, at, failed};

    #[test]
    fn a_text_says_which_points_fail_and_how_often() {
        let _one_at_a_time = Scenario::begin();
        instruct("a errno=5 after=2 gap=1 times=2\n\nb delay=0\n").expect("these are rules");
        let outcomes: Vec<_> = (0..8).map(|_| at("a")).collect();
        assert_eq!(outcomes, [None, None, None, Some(5), None, Some(5), None, None]);
        assert_eq!((at("b"), at("c")), (None, None));
        assert_eq!((failed("a"), failed("b"), failed("c")), (2, 1, 0));
        instruct("").expect("no rule is fine");
        assert_eq!((at("a"), failed("a")), (None, 0));
    }

    #[test]
    fn a_mistake_changes_nothing() {
        let _one_at_a_time = Scenario::begin();
        instruct("a errno=5").expect("a rule");
        for wrong in ["b", "b errno", "b errno=x", "b panic=1", "b errno=1 often", "b errno=1 sometimes=1"] {
            assert_eq!(instruct(wrong), Err(Mistake(wrong.to_owned())));
        }
        assert_eq!((at("a"), at("b")), (Some(5), None));
    }
}
