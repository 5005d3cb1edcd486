// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! One JVM and its last samples.

use std::collections::VecDeque;

use ztera_machine::jvm::Listed;

use super::events::events;
use crate::h2::sample::Sample;
use crate::h2::span::Span;

/// Events that are kept: more fit on no terminal.
const EVENTS: usize = 100;

/// A JVM, and its last samples.
pub struct Watched {
    /// Its process id and name.
    pub listed: Listed,
    /// Why it did not answer last time.
    pub trouble: Option<String>,
    /// The last time that it answered.
    pub now: Option<Sample>,
    /// Events, the newest first: a time of day and a text.
    pub events: VecDeque<(String, String)>,
    before: Option<Sample>,
}

impl Watched {
    /// A JVM that was not asked yet.
    pub fn new(listed: Listed) -> Watched {
        Watched { listed, trouble: None, now: None, events: VecDeque::new(), before: None }
    }

    /// Takes what it told.
    pub fn take(&mut self, told: Result<Sample, String>) {
        match told {
            Ok(sample) => {
                self.trouble = None;
                self.before = self.now.replace(sample);
                let found = self.span().map(|span| events(&span)).unwrap_or_default();
                let time = self.now.as_ref().map(Sample::time_of_day).unwrap_or_default();
                found.into_iter().for_each(|event| self.events.push_front((time.clone(), event)));
                self.events.truncate(EVENTS);
            }
            Err(trouble) => self.trouble = Some(trouble),
        }
    }

    /// The time between the last two samples.
    pub fn span(&self) -> Option<Span<'_>> {
        Some(Span { before: self.before.as_ref()?, after: self.now.as_ref()? })
    }
}
