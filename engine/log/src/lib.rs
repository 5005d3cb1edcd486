//! Lines that the engine says to people: why it ends the process, which contents are lost. They go to standard error, or to
//! a host that takes them.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Arc, PoisonError, RwLock};

/// Takes a line, without an end of line. Any thread of the process calls it, also while it serves a fault.
pub type Host = Arc<dyn Fn(&str) + Send + Sync>;

static HOST: RwLock<Option<Host>> = RwLock::new(None);

/// From now on `host` takes each line; `None`: standard error does.
pub fn give_to(host: Option<Host>) {
    *HOST.write().unwrap_or_else(PoisonError::into_inner) = host;
}

/// Says a line. If nobody can take it, it is gone: there is no other way to tell.
pub fn say(line: fmt::Arguments<'_>) {
    let host = HOST.read().unwrap_or_else(PoisonError::into_inner).clone();
    match host {
        Some(host) => host(&line.to_string()),
        None => drop(writeln!(io::stderr(), "ztera: {line}")),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[test]
    fn a_host_takes_lines_until_it_gives_them_back() {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let own = lines.clone();
        give_to(Some(Arc::new(move |line: &str| own.lock().expect("nobody panics").push(line.to_owned()))));
        say(format_args!("unit {} is lost", 7));
        give_to(None);
        say(format_args!("this line of a test goes to standard error"));
        assert_eq!(*lines.lock().expect("nobody panics"), ["unit 7 is lost"]);
    }
}
