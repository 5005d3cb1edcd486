// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! How a report reaches its reader.

use anyhow::Result;
use serde::Serialize;

/// Prints the report as JSON, or for people.
pub fn print<R: Serialize>(report: &R, json: bool, render: impl FnOnce(&R) -> String) -> Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(report)?);
    } else {
        println!("\n{}", render(report));
    }
    Ok(())
}
