//! Lines that the engine says to people.

use std::ffi::{CString, c_char, c_int};
use std::sync::Arc;

use crate::outcome::outcome;

/// From now on `line` is called with each line that the engine says to people: why it ends the process, which contents are
/// lost, why a range cannot be opened. With NULL, standard error gets them, as before the first call.
///
/// Any thread may call it, also one that serves a fault: it touches no range and calls no function of the engine. The text
/// is gone once it returns.
///
/// # Safety
/// `line` is NULL or a function that may be called as long as the engine is loaded, or until another one takes its place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn zt_log(line: Option<unsafe extern "C" fn(line: *const c_char)>) -> c_int {
    outcome(|| {
        let host = line.map(|line| -> ztera_log::Host {
            Arc::new(move |text: &str| {
                // A line has no zeros. One that has some says nothing.
                let text = CString::new(text).unwrap_or_default();
                // SAFETY: the caller lets it be called with a C string.
                unsafe { line(text.as_ptr()) }
            })
        });
        ztera_log::give_to(host);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;
    use std::sync::Mutex;

    use super::*;

    static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

    unsafe extern "C" fn keep(line: *const c_char) {
        // SAFETY: `zt_log` calls it with a C string.
        let line = unsafe { CStr::from_ptr(line) }.to_string_lossy().into_owned();
        LINES.lock().expect("nobody panics").push(line);
    }

    /// The engine wrote to the standard error of its host, which may be anything: a host could not take its lines.
    #[test]
    fn a_host_takes_the_engines_lines() {
        // SAFETY: the function stays.
        assert_eq!(unsafe { zt_log(Some(keep)) }, 0);
        ztera_log::say(format_args!("unit {} is lost", 7));
        // SAFETY: there is none.
        assert_eq!(unsafe { zt_log(None) }, 0);
        ztera_log::say(format_args!("this line of a test goes to standard error"));
        assert_eq!(*LINES.lock().expect("nobody panics"), ["unit 7 is lost"]);
    }
}
