// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! A JVM that is none: a process with a `libjvm.so` that sleeps. A thread of the test answers in its name.

pub mod busy;
mod counters;

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use tempfile::TempDir;

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

/// Such a process, found by its main class as any JVM.
pub struct FakeJvm {
    child: Child,
    _listening: Listening,
    _counters: TempDir,
    _home: TempDir,
}

impl FakeJvm {
    /// `answer` as of [`Listening::at`].
    pub fn start(main: &str, answer: impl Fn(&str) -> (i32, String) + Send + 'static) -> FakeJvm {
        let home = tempfile::tempdir().unwrap();
        let libjvm = home.path().join("lib/server/libjvm.so");
        fs::create_dir_all(libjvm.parent().unwrap()).unwrap();
        fs::copy(any_library(), &libjvm).unwrap();
        fs::write(home.path().join("lib/libztera.so"), "").unwrap();
        let child = Command::new("sleep").arg("1000").env("LD_PRELOAD", &libjvm).spawn().expect("sleep");
        let pid = child.id();
        while !fs::read_to_string(format!("/proc/{pid}/maps")).unwrap().contains("libjvm.so") {
            thread::yield_now();
        }
        let counters = tempfile::Builder::new().prefix("hsperfdata_").tempdir_in("/tmp").unwrap();
        fs::write(counters.path().join(pid.to_string()), counters::file(main)).unwrap();
        let listening = Listening::at(format!("/tmp/.java_pid{pid}").into(), answer);
        FakeJvm { child, _listening: listening, _counters: counters, _home: home }
    }

    /// Its process id.
    pub fn pid(&self) -> String {
        self.child.id().to_string()
    }
}

impl Drop for FakeJvm {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A library that this process has loaded, and that needs no more than others do.
fn any_library() -> PathBuf {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let mut files = maps.lines().filter_map(|line| line.split_whitespace().nth(5));
    let library = files.find(|file| file.contains("libgcc_s")).expect("every Rust program has it");
    Path::new(library).to_owned()
}

/// Answers every request for the second heap with this JSON.
pub fn tells(json: &str) -> impl Fn(&str) -> (i32, String) + Send + 'static {
    let json = json.to_owned();
    move |command| match command {
        "GC.h2_info json" => (0, format!("{json}\n")),
        _ => (1, "java.lang.IllegalArgumentException: Unknown diagnostic command\n".to_owned()),
    }
}
