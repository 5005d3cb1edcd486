// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The frame of experiments: one form for everything that the sources claim.
//!
//! ```text
//!  Need: is it there? -> Experiment::run -> Steps: samples.jsonl -> Sample -> Claim: Verdict --> page, verdicts.json
//!                                                                          -> Presentation --/
//! ```
//!
//! An experiment measures in steps, and each step leaves one [`sample::Sample`] in a file. Everything below that is a
//! pure function of samples, so that a report can be made anew without measuring.

pub mod claim;
pub mod context;
pub mod draft;
pub mod experiment;
pub mod figure;
pub mod figure_table;
pub mod findings;
pub mod glance;
pub mod lazy;
pub mod machine;
pub mod matrix;
pub mod need;
pub mod number;
pub mod page;
pub mod presentation;
pub mod record;
pub mod rounds;
pub mod sample;
pub mod steps;
