// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The negotiation between client and server before requests come.

use std::io::{self, Read, Write};

use super::wire::{self, Malformed, OptionHeader, info, option, reply};

/// The one thing that is exported, under any name.
#[derive(Clone, Copy, Debug)]
pub struct Export {
    /// Its bytes.
    pub size: u64,
    /// The length of requests that it likes best.
    pub preferred: u32,
}

/// Result of the negotiation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreed {
    /// Replies to reads are structured.
    pub structured: bool,
}

fn greet(to: &mut impl Write) -> io::Result<()> {
    let mut hello = wire::MAGIC.to_be_bytes().to_vec();
    hello.extend(wire::OPTION_MAGIC.to_be_bytes());
    hello.extend((wire::FIXED_NEWSTYLE | wire::NO_ZEROES).to_be_bytes());
    send(to, &hello)
}

/// Options that a client is refused before it is left. After structured replies most ask for the export.
const REFUSALS: u32 = 4;

/// Says no to all that a client asks for, and why.
pub fn refuse(from: &mut impl Read, to: &mut impl Write, why: &str) -> io::Result<()> {
    greet(to)?;
    let _flags: [u8; 4] = receive(from)?;
    for _ in 0..REFUSALS {
        let header = OptionHeader::parse(&receive(from)?)?;
        if header.option == option::EXPORT_NAME || header.len > wire::MAX_OPTION {
            break;
        }
        skip(from, header.len)?;
        send(to, &wire::option_reply(header.option, reply::ERR_POLICY, why.as_bytes()))?;
    }
    Ok(())
}

/// Negotiates with a client. `None`: it wanted no more than to look.
pub fn negotiate(from: &mut impl Read, to: &mut impl Write, export: Export) -> io::Result<Option<Agreed>> {
    greet(to)?;
    let flags = u32::from_be_bytes(receive(from)?);
    if flags & !u32::from(wire::FIXED_NEWSTYLE | wire::NO_ZEROES) != 0 {
        return Err(Malformed::ClientFlags.into());
    }
    let no_zeroes = flags & u32::from(wire::NO_ZEROES) != 0;
    let mut talk = Talk { to, export, agreed: Agreed::default(), no_zeroes };
    loop {
        let header = OptionHeader::parse(&receive(from)?)?;
        if header.len > wire::MAX_OPTION {
            skip(from, header.len)?;
            talk.reply(header.option, reply::ERR_TOO_BIG, &[])?;
            continue;
        }
        let mut data = vec![0; header.len as usize];
        from.read_exact(&mut data)?;
        match talk.answer(header.option, &data)? {
            Next::Option => {}
            Next::Requests => return Ok(Some(talk.agreed)),
            Next::End => return Ok(None),
        }
    }
}

enum Next {
    Option,
    Requests,
    End,
}

struct Talk<'w, W> {
    to: &'w mut W,
    export: Export,
    agreed: Agreed,
    no_zeroes: bool,
}

impl<W: Write> Talk<'_, W> {
    fn answer(&mut self, option: u32, data: &[u8]) -> io::Result<Next> {
        match option {
            option::EXPORT_NAME => return self.export_name().map(|()| Next::Requests),
            option::GO | option::INFO => return self.go(option, data),
            option::ABORT => {
                // The client may not wait for it.
                let _ = self.reply(option, reply::ACK, &[]);
                return Ok(Next::End);
            }
            option::LIST if data.is_empty() => {
                // One export, whose name is empty.
                self.reply(option, reply::SERVER, &[0; 4])?;
                self.reply(option, reply::ACK, &[])?;
            }
            option::STRUCTURED_REPLY if data.is_empty() => {
                self.agreed.structured = true;
                self.reply(option, reply::ACK, &[])?;
            }
            option::LIST | option::STRUCTURED_REPLY => self.reply(option, reply::ERR_INVALID, &[])?,
            _ => self.reply(option, reply::ERR_UNSUP, &[])?,
        }
        Ok(Next::Option)
    }

    /// The oldest way in, which has no way to say no.
    fn export_name(&mut self) -> io::Result<()> {
        let mut bytes = self.export.size.to_be_bytes().to_vec();
        bytes.extend(wire::transmission_flags(self.agreed.structured).to_be_bytes());
        if !self.no_zeroes {
            bytes.extend([0; 124]);
        }
        send(self.to, &bytes)
    }

    fn go(&mut self, option: u32, data: &[u8]) -> io::Result<Next> {
        let Some((_any_name, block_sizes)) = wire::parse_info(data) else {
            self.reply(option, reply::ERR_INVALID, &[])?;
            return Ok(Next::Option);
        };
        let mut export = info::EXPORT.to_be_bytes().to_vec();
        export.extend(self.export.size.to_be_bytes());
        export.extend(wire::transmission_flags(self.agreed.structured).to_be_bytes());
        self.reply(option, reply::INFO, &export)?;
        if block_sizes {
            let mut sizes = info::BLOCK_SIZE.to_be_bytes().to_vec();
            for size in [1, self.export.preferred, wire::MAX_PAYLOAD] {
                sizes.extend(size.to_be_bytes());
            }
            self.reply(option, reply::INFO, &sizes)?;
        }
        self.reply(option, reply::ACK, &[])?;
        Ok(if option == option::GO { Next::Requests } else { Next::Option })
    }

    fn reply(&mut self, option: u32, kind: u32, data: &[u8]) -> io::Result<()> {
        send(self.to, &wire::option_reply(option, kind, data))
    }
}

fn send(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    to.write_all(bytes)?;
    to.flush()
}

fn receive<const LEN: usize>(from: &mut impl Read) -> io::Result<[u8; LEN]> {
    let mut bytes = [0; LEN];
    from.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Reads `len` bytes and forgets them.
pub(super) fn skip(from: &mut impl Read, len: u32) -> io::Result<()> {
    let skipped = io::copy(&mut from.take(len.into()), &mut io::sink())?;
    if skipped == u64::from(len) { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPORT: Export = Export { size: 1 << 20, preferred: 16384 };

    fn options(flags: u32, options: &[(u32, &[u8])]) -> Vec<u8> {
        let mut bytes = flags.to_be_bytes().to_vec();
        for (option, data) in options {
            bytes.extend(wire::OPTION_MAGIC.to_be_bytes());
            bytes.extend(option.to_be_bytes());
            bytes.extend((data.len() as u32).to_be_bytes());
            bytes.extend(*data);
        }
        bytes
    }

    fn talk(bytes: &[u8]) -> (io::Result<Option<Agreed>>, Vec<u8>) {
        let mut said = Vec::new();
        (negotiate(&mut &bytes[..], &mut said, EXPORT), said)
    }

    #[test]
    fn a_client_gets_in_the_new_way_and_the_old_one() {
        let go = [0, 0, 0, 0, 0, 1, 0, 3];
        let (agreed, said) = talk(&options(3, &[(option::STRUCTURED_REPLY, &[]), (option::GO, &go)]));
        assert_eq!(agreed.expect("good"), Some(Agreed { structured: true }));
        assert_eq!(said.len(), 18 + 20 + (20 + 12) + (20 + 14) + 20);
        let (agreed, said) = talk(&options(1, &[(option::EXPORT_NAME, b"whatever")]));
        assert_eq!(agreed.expect("good"), Some(Agreed { structured: false }));
        assert_eq!(said.len(), 18 + 10 + 124);
    }

    #[test]
    fn what_is_unknown_is_refused_and_the_talk_goes_on() {
        let long = vec![0; wire::MAX_OPTION as usize + 1];
        let (agreed, said) =
            talk(&options(3, &[(5, &[]), (999, &long), (option::GO, &[1]), (option::ABORT, &[])]));
        assert_eq!(agreed.expect("good"), None);
        let kinds: Vec<u32> = said[18..]
            .chunks(20)
            .map(|reply| u32::from_be_bytes(reply[12..16].try_into().expect("4 bytes")))
            .collect();
        assert_eq!(kinds, [reply::ERR_UNSUP, reply::ERR_TOO_BIG, reply::ERR_INVALID, reply::ACK]);
    }

    #[test]
    fn who_is_refused_is_told_why() {
        let options = options(3, &[(option::STRUCTURED_REPLY, &[]), (option::GO, &[0; 6])]);
        let mut said = Vec::new();
        let end = refuse(&mut &options[..], &mut said, "no").expect_err("it goes");
        assert_eq!(end.kind(), io::ErrorKind::UnexpectedEof);
        let reply = |option| wire::option_reply(option, reply::ERR_POLICY, b"no");
        assert_eq!(said[18..], [reply(option::STRUCTURED_REPLY), reply(option::GO)].concat());
    }

    #[test]
    fn what_is_not_the_protocol_ends_the_connection() {
        assert_eq!(talk(&options(1 << 5, &[])).0.expect_err("flags").kind(), io::ErrorKind::InvalidData);
        let mut bytes = options(3, &[]);
        bytes.extend([7; 16]);
        assert_eq!(talk(&bytes).0.expect_err("magic").kind(), io::ErrorKind::InvalidData);
        assert_eq!(talk(&[0, 0]).0.expect_err("cut off").kind(), io::ErrorKind::UnexpectedEof);
    }
}
