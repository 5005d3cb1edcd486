// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The laboratory: measurements of the second heap, and of what others claim about memory.
//!
//! | Folder | Contents |
//! |---|---|
//! | [`experiments`] | one folder per table or figure of a source: claims, and the steps that judge them |
//! | [`frame`] | the form of an experiment: needs, steps, samples, claims, verdicts, plots, the report |
//! | [`bench`] | one folder per benchmark of `ztera bench`: arms take turns, figures have targets |
//! | [`kit`] | all that both need: zram, swap, cgroups, JVMs, data, tables, plots |
//! | [`lab`], [`sim`] | the commands `ztera lab` and `sim` |
//!
//! ```text
//!  experiment: steps  -> samples -> claims: verdicts \
//!                                   view: tables, plots -> page, JSON
//!  benchmark:  turns  -> samples -> figures          /
//! ```
//!
//! An experiment or benchmark sets its arms up with the kit, and undoes that when it is dropped. All that follows from
//! samples is pure. A figure has its name, unit, direction, target and formula in one table. No two modules import each
//! other.

#[macro_use(print, println, eprintln)]
extern crate ztera_machine;

pub mod bench;
mod experiments;
mod frame;
mod kit;
pub mod lab;
mod reclaim;
mod redis;
pub mod sim;
