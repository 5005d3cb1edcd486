// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! Where a JVM has its areas, as it says itself.
//!
//! ```text
//!  GC.heap_info  -> heap_info:  young, old, H2        \
//!  System.map    -> system_map: all, with NMT          -> Layout
//!  VM.info       -> vm_info:    most, without NMT     /
//! ```

mod addresses;
mod heap_info;
mod known;
mod system_map;
mod vm_info;

use anyhow::Result;
use ztera_machine::jvm::Jvm;

use super::area::Area;
use super::h2::H2;
pub use known::Known;

/// Everything that the JVM said.
#[derive(Debug, Default)]
pub struct Layout {
    /// Where areas are; of several that overlap the first is right.
    pub known: Vec<Known>,
    /// The diagnostic command that most of it comes from.
    pub told_by: Option<&'static str>,
    /// The second heap, if there is one.
    pub h2: Option<H2>,
    /// Why some areas could not be told apart.
    pub notes: Vec<String>,
}

impl Layout {
    /// Asks the JVM. If it does not answer, nothing is known, and a note says why.
    pub fn of(pid: u32) -> Layout {
        let asked = Jvm::of(pid).and_then(|jvm| Layout::ask(&jvm));
        asked.unwrap_or_else(|error| {
            let notes = vec![format!("The JVM did not say where its areas are ({error:#}).")];
            Layout { notes, ..Layout::default() }
        })
    }

    fn ask(jvm: &Jvm) -> Result<Layout> {
        let heap = jvm.ask(&["GC.heap_info"])?;
        let (mut known, mut notes) = (heap_info::parse(&heap), Vec::new());
        if !known.iter().any(|it| it.area == Area::Young) {
            notes.push(
                "This collector's generations have no fixed places: the heap is shown as a whole.".to_owned(),
            );
        }
        // JDK 24 and later have it; info on what a mapping is for takes native memory tracking.
        let map = jvm.ask(&["System.map"]).map(|map| system_map::parse(&map)).unwrap_or_default();
        let told_by = if map.is_empty() { "VM.info" } else { "System.map" };
        if map.is_empty() {
            known.extend(vm_info::parse(&jvm.ask(&["VM.info"])?));
            notes.push(
                "Metaspace and some tables of the collector are in `other`: start the JVM with \
                 -XX:NativeMemoryTracking=summary to tell them apart."
                    .to_owned(),
            );
        }
        known.extend(map);
        let h2 = jvm.h2_info().ok().and_then(H2::of);
        Ok(Layout { known, told_by: Some(told_by), h2, notes })
    }
}
