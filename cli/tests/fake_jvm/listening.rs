// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A socket at which a JVM would answer `jcmd`.

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Answers at a socket, until this is dropped.
pub struct Listening {
    socket: PathBuf,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Listening {
    /// `answer` gets a command with its arguments, and returns a code and a text.
    pub fn at(socket: PathBuf, answer: impl Fn(&str) -> (i32, String) + Send + 'static) -> Listening {
        let _ = fs::remove_file(&socket);
        let listener = UnixListener::bind(&socket).expect("a folder for a socket");
        let over = Arc::new(AtomicBool::new(false));
        let ends = over.clone();
        let thread = thread::spawn(move || {
            for stream in listener.incoming().take_while(|_| !ends.load(Ordering::SeqCst)) {
                // The command may be killed meanwhile.
                let _ = stream.and_then(|stream| converse(stream, &answer));
            }
        });
        Listening { socket, over, thread: Some(thread) }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        let _ = UnixStream::connect(&self.socket);
        let _ = self.thread.take().map(JoinHandle::join);
        let _ = fs::remove_file(&self.socket);
    }
}

fn converse(mut stream: UnixStream, answer: &impl Fn(&str) -> (i32, String)) -> io::Result<()> {
    let (mut request, mut byte) = (Vec::new(), [0]);
    while request.iter().filter(|&&byte| byte == 0).count() < 5 && stream.read(&mut byte)? > 0 {
        request.push(byte[0]);
    }
    let request = String::from_utf8(request).map_err(io::Error::other)?;
    let mut words = request.split('\0');
    let (code, text) = match (words.next(), words.next(), words.next()) {
        (Some("1"), Some("jcmd"), Some(command)) => answer(command),
        _ => (101, format!("no request: {request:?}")),
    };
    write!(stream, "{code}\n{text}")
}
