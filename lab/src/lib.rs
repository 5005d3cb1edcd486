// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The laboratory: one folder per experiment, and the [`kit`] that they share.
//!
//! ```text
//!  arms take turns -> samples -> figures -> report -> table, plots, JSON
//! ```
//!
//! An experiment sets its arms up with the kit, and lets them run in turns. Their samples become figures: the table
//! `FIGURES` of an experiment has the name, unit, direction, target and formula of each. A report is data alone;
//! modules above it make tables and plots of it. No two modules import each other.
//!
//! The [`frame`] gives experiments that judge a source's claims one form, [`experiments`] lists them, and [`lab`] runs
//! them.
//!
//! The command `ztera` runs [`bench`], [`demo`], [`lab`], [`sim`] and [`tune`], and draws with [`plot`].

mod all;
pub mod bench;
mod codec;
mod defaults;
pub mod demo;
mod disk;
mod disksize;
mod engine;
mod experiments;
mod frame;
mod h2;
mod kit;
pub mod lab;
mod off;
mod pauses;
mod redis;
pub mod sim;
mod spark;
mod tiers;
pub mod tune;

pub use kit::plot;
