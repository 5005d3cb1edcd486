// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The laboratory: one folder per experiment, and in [`kit`] what several of them need.
//!
//! The command `ztera` runs [`bench`], [`demo`] and [`sim`].

mod all;
pub mod bench;
mod codec;
mod defaults;
pub mod demo;
mod disk;
mod engine;
mod h2;
mod kit;
mod off;
mod pauses;
pub mod sim;
mod tiers;
