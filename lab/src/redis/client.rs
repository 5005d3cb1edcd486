// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! As much of Redis' protocol as pipelines of SET and GET take. Crates that speak it bring parsers of addresses, and
//! with them tables of all letters.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use ztera_machine::interrupt;

/// Requests that are sent before their replies are read.
const PIPELINE: usize = 64;

/// Values that are pieces of a text.
pub struct Values<'t>(&'t [u8]);

impl<'t> Values<'t> {
    /// Bytes of each.
    pub const LEN: u64 = 1024;

    /// Of a text that is longer than a value.
    pub fn of(text: &'t [u8]) -> Values<'t> {
        Values(text)
    }

    /// Of a key: piece after piece of the text, and of its next round from another byte on.
    fn value(&self, key: u64) -> &'t [u8] {
        let len = Self::LEN as usize;
        let start = (key as usize * len) % (self.0.len() - len);
        &self.0[start..start + len]
    }
}

/// A connection to a server.
pub struct Client {
    stream: UnixStream,
    replies: BufReader<UnixStream>,
}

impl Client {
    /// Connects. A reply that takes longer than `patience` is an error.
    pub fn connect(socket: &Path, patience: Duration) -> io::Result<Client> {
        let stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(patience))?;
        stream.set_write_timeout(Some(patience))?;
        Ok(Client { replies: BufReader::with_capacity(1 << 18, stream.try_clone()?), stream })
    }

    /// Sets each key to its value, and tells how many are set as it goes.
    pub fn set(
        &mut self,
        keys: impl Iterator<Item = u64>,
        values: &Values,
        mut done: impl FnMut(u64),
    ) -> io::Result<()> {
        self.pipeline(
            keys,
            |key, into| command(into, &[b"SET", &name(key), values.value(key)]),
            |client, _| {
                client.expect(b"+OK\r\n")?;
                done(1);
                Ok(())
            },
        )
    }

    /// Gets each key, and compares with its value.
    pub fn get(&mut self, keys: impl Iterator<Item = u64>, values: &Values) -> io::Result<()> {
        let head = format!("${}\r\n", Values::LEN);
        self.pipeline(
            keys,
            |key, into| command(into, &[b"GET", &name(key)]),
            |client, key| {
                client.expect(head.as_bytes())?;
                client.expect(values.value(key))?;
                client.expect(b"\r\n")
            },
        )
    }

    fn pipeline(
        &mut self,
        mut keys: impl Iterator<Item = u64>,
        request: impl Fn(u64, &mut Vec<u8>),
        mut reply: impl FnMut(&mut Client, u64) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut bytes = Vec::new();
        loop {
            interrupt::check().map_err(io::Error::other)?;
            let batch: Vec<u64> = keys.by_ref().take(PIPELINE).collect();
            if batch.is_empty() {
                return Ok(());
            }
            bytes.clear();
            batch.iter().for_each(|key| request(*key, &mut bytes));
            self.stream.write_all(&bytes)?;
            batch.into_iter().try_for_each(|key| reply(self, key))?;
        }
    }

    /// An error reply names the reason; other bytes are wrong ones.
    fn expect(&mut self, wanted: &[u8]) -> io::Result<()> {
        let mut bytes = vec![0; wanted.len()];
        self.replies.read_exact(&mut bytes[..1])?;
        if bytes[0] == b'-' && wanted[0] != b'-' {
            let mut reason = String::new();
            self.replies.read_line(&mut reason)?;
            return Err(io::Error::other(format!("the server refuses: {}", reason.trim())));
        }
        self.replies.read_exact(&mut bytes[1..])?;
        if bytes == wanted { Ok(()) } else { Err(io::ErrorKind::InvalidData.into()) }
    }
}

fn name(key: u64) -> Vec<u8> {
    format!("key:{key:012}").into_bytes()
}

fn command(into: &mut Vec<u8>, words: &[&[u8]]) {
    into.extend(format!("*{}\r\n", words.len()).into_bytes());
    for word in words {
        into.extend(format!("${}\r\n", word.len()).into_bytes());
        into.extend_from_slice(word);
        into.extend_from_slice(b"\r\n");
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;
    use std::thread;

    use super::*;

    fn text() -> Vec<u8> {
        (0..5000_u32).map(|index| (index % 251) as u8).collect()
    }

    /// A server that answers with these bytes, and then closes; returns what was sent to it.
    fn answered(
        with: &[u8],
        ask: impl FnOnce(&mut Client, &Values) -> io::Result<()>,
    ) -> (io::Result<()>, Vec<u8>) {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("redis");
        let listener = UnixListener::bind(&socket).unwrap();
        let with = with.to_vec();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(&with).unwrap();
            stream.shutdown(std::net::Shutdown::Write).unwrap();
            let mut asked = Vec::new();
            stream.read_to_end(&mut asked).unwrap();
            asked
        });
        let mut client = Client::connect(&socket, Duration::from_secs(60)).unwrap();
        let (text, result) = (text(), ask);
        let result = result(&mut client, &Values::of(&text));
        drop(client);
        (result, server.join().unwrap())
    }

    #[test]
    fn a_set_is_a_command_of_three_words() {
        let mut sets = 0;
        let (result, asked) =
            answered(b"+OK\r\n+OK\r\n", |client, values| client.set(0..2, values, |more| sets += more));
        result.unwrap();
        assert_eq!(sets, 2);
        assert!(asked.starts_with(b"*3\r\n$3\r\nSET\r\n$16\r\nkey:000000000000\r\n$1024\r\n\x00\x01\x02"));
        assert_eq!(asked.windows(4).filter(|bytes| bytes == b"*3\r\n").count(), 2);
    }

    #[test]
    fn a_value_that_differs_is_an_error() {
        let right = [b"$1024\r\n", &text()[..1024], b"\r\n"].concat();
        let get = |client: &mut Client, values: &Values| client.get(0..1, values);
        answered(&right, get).0.unwrap();
        let wrong = [b"$1024\r\n", &text()[1..1025], b"\r\n"].concat();
        assert_eq!(answered(&wrong, get).0.unwrap_err().kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn a_refusal_and_an_end_are_told() {
        let set = |client: &mut Client, values: &Values| client.set(0..1, values, |_| ());
        let refused = answered(b"-OOM command not allowed\r\n", set).0.unwrap_err();
        assert_eq!(refused.to_string(), "the server refuses: OOM command not allowed");
        assert_eq!(answered(b"", set).0.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn each_round_through_the_text_begins_at_another_byte() {
        let text = text();
        let values = Values::of(&text);
        assert_eq!(values.value(0), &text[..1024]);
        assert_eq!(values.value(4), &text[4096 - 3976..][..1024]);
    }
}
