// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Arms that are left out, with the reason, each once.

use anyhow::Result;

/// The notes.
#[derive(Default)]
pub struct Missing(pub Vec<String>);

impl Missing {
    /// The thing itself, or a note why it is not there.
    pub fn unless<T>(&mut self, arm: &str, made: Result<T>) -> Option<T> {
        match made {
            Ok(made) => Some(made),
            Err(error) => {
                let note = format!("{arm} is left out: {error:#}");
                if !self.0.contains(&note) {
                    self.0.push(note);
                }
                None
            }
        }
    }
}

/// Of all of a report's notes those that say what is missing.
pub fn left_out(notes: &[String]) -> Vec<String> {
    notes.iter().filter(|note| note.contains(" left out")).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_noted_once() {
        let mut missing = Missing::default();
        assert_eq!(missing.unless("a", Ok(1)), Some(1));
        for _ in 0..2 {
            assert_eq!(missing.unless::<()>("b", Err(anyhow::anyhow!("no root"))), None);
        }
        missing.0.push("pages are synthetic".to_owned());
        assert_eq!(missing.0[0], "b is left out: no root");
        assert_eq!(left_out(&missing.0), missing.0[..1]);
    }
}
