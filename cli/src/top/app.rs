// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! All that is watched, and what of it is shown.

use ratatui::Frame;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Stylize;
use ratatui::text::Line;

use super::sampler::Round;
use super::watched::Watched;
use super::{details, list};

/// The least terminal.
const LEAST: (u16, u16) = (80, 24);

/// The state of the command.
pub struct App {
    jvms: Vec<Watched>,
    /// The chosen one's place among them.
    chosen: usize,
    details: bool,
    over: bool,
    asked: bool,
    called: String,
    interval: f64,
}

impl App {
    /// Nothing is known yet. The details of a JVM that the user named are shown at once.
    pub fn new(called: Option<&str>, interval: f64) -> App {
        let (details, called) = (called.is_some(), called.unwrap_or("all ZTera JVMs").to_owned());
        App { jvms: Vec::new(), chosen: 0, details, over: false, asked: false, called, interval }
    }

    /// Whether the user wants to end.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Takes what JVMs told. Those that were not asked any more have ended.
    pub fn take(&mut self, round: Round) {
        let chosen = self.jvms.get(self.chosen).map(|it| it.listed.pid);
        let mut old = std::mem::take(&mut self.jvms);
        for (listed, told) in round {
            let known = old.iter().position(|it| it.listed == listed);
            let mut watched = known.map_or_else(|| Watched::new(listed), |place| old.swap_remove(place));
            watched.take(told);
            self.jvms.push(watched);
        }
        self.chosen = self.jvms.iter().position(|it| Some(it.listed.pid) == chosen).unwrap_or(0);
        // A name may be that of several.
        self.details &= self.asked || self.jvms.len() == 1;
        self.asked = true;
    }

    /// Does what a key is for.
    pub fn press(&mut self, key: KeyEvent) {
        if key.kind == KeyEventKind::Release {
            return;
        }
        match key.code {
            KeyCode::Char('q') => self.over = true,
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => self.over = true,
            KeyCode::Up | KeyCode::Char('k') => self.chosen = self.chosen.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => {
                self.chosen = (self.chosen + 1).min(self.jvms.len().saturating_sub(1));
            }
            KeyCode::Enter => self.details = !self.jvms.is_empty(),
            KeyCode::Esc => self.details = false,
            _ => (),
        }
    }

    /// Draws all of it.
    pub fn draw(&self, frame: &mut Frame) {
        let area = frame.area();
        if area.width < LEAST.0 || area.height < LEAST.1 {
            let text =
                format!("{}x{} is too small: {}x{} at least", area.width, area.height, LEAST.0, LEAST.1);
            frame.render_widget(Line::raw(text), area);
            return;
        }
        let rows = [Constraint::Length(1), Constraint::Min(0), Constraint::Length(1)];
        let [title, body, keys] = Layout::vertical(rows).areas(area);
        self.draw_frame(frame, title, keys);
        match self.jvms.get(self.chosen) {
            None if self.asked => frame.render_widget(Line::raw(self.nothing()), body),
            None => frame.render_widget(Line::raw("Asking ..."), body),
            Some(watched) if self.details => details::draw(watched, frame, body),
            Some(_) => list::draw(&self.jvms, self.chosen, frame, body),
        }
    }

    fn draw_frame(&self, frame: &mut Frame, title: Rect, keys: Rect) {
        let time = self.jvms.iter().filter_map(|it| it.now.as_ref()).map(|it| it.time_of_day()).max();
        let left = format!("ztera top: {}", self.called);
        let right = format!("every {} s  {}", self.interval, time.unwrap_or_default());
        frame.render_widget(Line::raw(left).bold(), title);
        frame.render_widget(Line::raw(right).right_aligned(), title);
        let help = if self.details { "Esc: all JVMs   q: end" } else { "up, down, Enter: details   q: end" };
        frame.render_widget(Line::raw(help).dim(), keys);
    }

    fn nothing(&self) -> String {
        if self.called == "all ZTera JVMs" {
            "This user may ask no ZTera JVM that runs. `ztera java` starts one.".to_owned()
        } else {
            format!("{} has ended.", self.called)
        }
    }
}

#[cfg(test)]
#[path = "app_test.rs"]
mod tests;
