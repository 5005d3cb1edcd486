// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! `ztera top`: second heaps as they change, on a terminal.
//!
//! ```text
//!  sampler  a thread asks all JVMs     -> watched: the last samples of each, and events between them
//!  keys     another thread reads them
//!  app      what is shown of which JVM -> list, or details: the picture
//! ```

mod app;
mod bars;
mod details;
mod events;
mod keys;
mod list;
mod sampler;
mod watched;

use std::io::{IsTerminal, stdin, stdout};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::Event;
use ztera_machine::interrupt;
use ztera_machine::jvm;
use ztera_machine::units::parse_positive;

use app::App;
use keys::Keys;
use sampler::Sampler;

/// Watch second heaps: where their pages are, what flows between the tiers, and what it costs
///
/// Without PID or NAME it lists all ZTera JVMs that this user may ask; root may ask all, in containers too. Enter shows
/// the details of one.
///
/// It needs a terminal, of 80 columns and 24 lines at least. `ztera stat --interval 1` prints rows instead.
#[derive(clap::Args)]
#[command(after_long_help = KEYS)]
pub struct Args {
    /// A JVM's process id, or part of its main class's name [default: all ZTera JVMs]
    #[arg(value_name = "PID|NAME")]
    jvm: Option<String>,
    /// Ask every so many seconds
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parse_positive)]
    interval: f64,
}

const KEYS: &str = "\
Examples:
  ztera top                    # a list of all ZTera JVMs
  ztera top org.example.Main   # the details of one
  ztera top --interval 0.2 PID

The details:
  tiers   how much is uncompressed, compressed and on the SSD, beside its limit
  flows   bytes or units per second from one tier to the next
  faults  where units came from, and the mean time that this took
  pauses  collections of the young and the whole heap
  limit   how the memory limit was last divided
  labels  the largest groups of objects
  events  moves, deaths, errors and changed parts of the limit, while you watch

Keys:
  up, down    choose a JVM
  Enter       its details
  Esc         back to the list
  q, Ctrl-C   the end";

/// Between looks for a key, a sample or a signal.
const LOOK: Duration = Duration::from_millis(50);

/// Watches until somebody has seen enough.
pub fn run(args: &Args) -> Result<ExitCode> {
    if let Some(called) = &args.jvm {
        jvm::find(called)?;
    }
    if !stdin().is_terminal() || !stdout().is_terminal() {
        bail!("top needs a terminal; `ztera stat --interval 1 PID` prints rows, --json for programs");
    }
    interrupt::watch()?;
    let sampler = Sampler::start(args.jvm.clone(), Duration::from_secs_f64(args.interval));
    let mut app = App::new(args.jvm.as_deref(), args.interval);
    let mut terminal = ratatui::try_init().context("this terminal cannot be used")?;
    let shown = show(&mut terminal, &mut app, &sampler);
    let restored = ratatui::try_restore().context("the terminal cannot be put back; `reset` does that");
    // A terminal that was closed cannot be drawn to, and there is nobody to tell.
    if !interrupt::came() {
        shown.and(restored)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn show(terminal: &mut DefaultTerminal, app: &mut App, sampler: &Sampler) -> Result<()> {
    let keys = Keys::start();
    let mut changed = true;
    while !app.is_over() && !interrupt::came() {
        if let Some(round) = sampler.newest()? {
            app.take(round);
            changed = true;
        }
        if changed {
            terminal.draw(|frame| app.draw(frame)).context("cannot draw")?;
        }
        let event = keys.wait(LOOK)?;
        changed = event.is_some();
        if let Some(Event::Key(key)) = event {
            app.press(key);
        }
    }
    Ok(())
}
