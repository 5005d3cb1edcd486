// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The protocol's numbers and messages. All integers are big-endian.

use crate::error::Error;
use crate::extent::Extent;

/// `NBDMAGIC`, the first word of a server.
pub const MAGIC: u64 = 0x4e42_444d_4147_4943;
/// `IHAVEOPT`, before each option.
pub const OPTION_MAGIC: u64 = 0x4948_4156_454f_5054;
const OPTION_REPLY_MAGIC: u64 = 0x0003_e889_0455_65a9;
const REQUEST_MAGIC: u32 = 0x2560_9513;
const SIMPLE_REPLY_MAGIC: u32 = 0x6744_6698;
const STRUCTURED_REPLY_MAGIC: u32 = 0x668e_33ef;

/// Flags of the handshake, of server and client alike: fixed newstyle, and no zeros behind `EXPORT_NAME`.
pub const FIXED_NEWSTYLE: u16 = 1;
/// See above.
pub const NO_ZEROES: u16 = 1 << 1;

/// Options that a client may send.
pub mod option {
    #![allow(missing_docs)]
    pub const EXPORT_NAME: u32 = 1;
    pub const ABORT: u32 = 2;
    pub const LIST: u32 = 3;
    pub const INFO: u32 = 6;
    pub const GO: u32 = 7;
    pub const STRUCTURED_REPLY: u32 = 8;
}

/// Types of a reply to an option.
pub mod reply {
    #![allow(missing_docs)]
    pub const ACK: u32 = 1;
    pub const SERVER: u32 = 2;
    pub const INFO: u32 = 3;
    pub const ERR_UNSUP: u32 = 1 << 31 | 1;
    pub const ERR_POLICY: u32 = 1 << 31 | 2;
    pub const ERR_INVALID: u32 = 1 << 31 | 3;
    pub const ERR_UNKNOWN: u32 = 1 << 31 | 6;
    pub const ERR_TOO_BIG: u32 = 1 << 31 | 9;
}

/// Properties of an export that a client is told.
pub mod info {
    #![allow(missing_docs)]
    pub const EXPORT: u16 = 0;
    pub const BLOCK_SIZE: u16 = 3;
}

/// The export's flags: all that this server can do.
pub fn transmission_flags(structured: bool) -> u16 {
    const HAS_FLAGS: u16 = 1;
    const SEND_FLUSH: u16 = 1 << 2;
    const SEND_FUA: u16 = 1 << 3;
    const SEND_TRIM: u16 = 1 << 5;
    const SEND_WRITE_ZEROES: u16 = 1 << 6;
    const SEND_DF: u16 = 1 << 7;
    const CAN_MULTI_CONN: u16 = 1 << 8;
    const SEND_FAST_ZERO: u16 = 1 << 11;
    let all =
        HAS_FLAGS | SEND_FLUSH | SEND_FUA | SEND_TRIM | SEND_WRITE_ZEROES | CAN_MULTI_CONN | SEND_FAST_ZERO;
    if structured { all | SEND_DF } else { all }
}

/// Most bytes that one request may carry, either way.
pub const MAX_PAYLOAD: u32 = 32 << 20;

/// Most bytes of an option's data that are looked at. A name has 4096 at most.
pub const MAX_OPTION: u32 = 16 << 10;

/// A breach of the protocol: the connection has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// Bytes are not there that begin every message.
    #[error("a message does not begin as one")]
    Magic,
    /// The client sets flags that do not exist.
    #[error("the client wants a protocol that does not exist")]
    ClientFlags,
}

impl From<Malformed> for std::io::Error {
    fn from(malformed: Malformed) -> Self {
        Self::new(std::io::ErrorKind::InvalidData, malformed)
    }
}

/// Header of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionHeader {
    /// Number of the option.
    pub option: u32,
    /// Bytes of its data.
    pub len: u32,
}

impl OptionHeader {
    /// Bytes of it.
    pub const LEN: usize = 16;

    /// From bytes.
    pub fn parse(bytes: &[u8; Self::LEN]) -> Result<Self, Malformed> {
        if u64_at(bytes, 0) != OPTION_MAGIC {
            return Err(Malformed::Magic);
        }
        Ok(Self { option: u32_at(bytes, 8), len: u32_at(bytes, 12) })
    }
}

/// The export that `INFO` or `GO` name, and whether the client asks for block sizes. `None`: the data are malformed.
pub fn parse_info(data: &[u8]) -> Option<(&[u8], bool)> {
    let (len, rest) = data.split_first_chunk::<4>()?;
    let (name, rest) = rest.split_at_checked(u32::from_be_bytes(*len) as usize)?;
    let (count, rest) = rest.split_first_chunk::<2>()?;
    let wanted = usize::from(u16::from_be_bytes(*count));
    let (wanted_infos, []) = rest.as_chunks::<2>() else { return None };
    (wanted_infos.len() == wanted)
        .then(|| (name, wanted_infos.iter().any(|&info| u16::from_be_bytes(info) == info::BLOCK_SIZE)))
}

/// A reply to an option.
pub fn option_reply(option: u32, kind: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = OPTION_REPLY_MAGIC.to_be_bytes().to_vec();
    for word in [option, kind, data.len() as u32] {
        bytes.extend(word.to_be_bytes());
    }
    bytes.extend(data);
    bytes
}

/// Command of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Bytes.
    Read,
    /// New bytes.
    Write,
    /// Goodbye.
    Disconnect,
    /// All that was replied to is to be safe.
    Flush,
    /// Nothing more is wanted of them.
    Trim,
    /// Zeros.
    WriteZeroes,
    /// Something that this server does not know.
    Unknown,
}

/// A request, as it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The command.
    pub command: Command,
    /// How.
    pub flags: u16,
    /// The client's name for the request.
    pub cookie: u64,
    /// The first byte that it is about.
    pub offset: u64,
    /// How many bytes.
    pub len: u32,
}

const FLAG_FUA: u16 = 1;
const FLAG_NO_HOLE: u16 = 1 << 1;
const FLAG_DF: u16 = 1 << 2;
const FLAG_FAST_ZERO: u16 = 1 << 4;

impl Header {
    /// Bytes of it.
    pub const LEN: usize = 28;

    /// From bytes.
    pub fn parse(bytes: &[u8; Self::LEN]) -> Result<Self, Malformed> {
        if u32_at(bytes, 0) != REQUEST_MAGIC {
            return Err(Malformed::Magic);
        }
        Ok(Self {
            flags: (u32_at(bytes, 4) >> 16) as u16,
            command: match u32_at(bytes, 4) as u16 {
                0 => Command::Read,
                1 => Command::Write,
                2 => Command::Disconnect,
                3 => Command::Flush,
                4 => Command::Trim,
                6 => Command::WriteZeroes,
                _ => Command::Unknown,
            },
            cookie: u64_at(bytes, 8),
            offset: u64_at(bytes, 16),
            len: u32_at(bytes, 24),
        })
    }

    /// To bytes: what a client sends.
    pub fn to_bytes(self) -> [u8; Self::LEN] {
        let command: u16 = match self.command {
            Command::Read => 0,
            Command::Write => 1,
            Command::Disconnect => 2,
            Command::Flush => 3,
            Command::Trim => 4,
            Command::WriteZeroes => 6,
            Command::Unknown => u16::MAX,
        };
        let mut bytes = [0; Self::LEN];
        bytes[..4].copy_from_slice(&REQUEST_MAGIC.to_be_bytes());
        bytes[4..6].copy_from_slice(&self.flags.to_be_bytes());
        bytes[6..8].copy_from_slice(&command.to_be_bytes());
        bytes[8..16].copy_from_slice(&self.cookie.to_be_bytes());
        bytes[16..24].copy_from_slice(&self.offset.to_be_bytes());
        bytes[24..].copy_from_slice(&self.len.to_be_bytes());
        bytes
    }

    /// Bytes that follow it, and have to be read in any case.
    pub fn payload(&self) -> u32 {
        if self.command == Command::Write { self.len } else { 0 }
    }

    /// Whether the data of a read may come in fragments, where replies are structured.
    pub fn takes_fragments(&self) -> bool {
        self.flags & FLAG_DF == 0
    }

    /// Whether a device of `size` bytes can be asked that; else the error of the reply.
    pub fn check(&self, size: u64) -> Result<(), u32> {
        let allowed = match self.command {
            Command::Read => FLAG_DF | FLAG_FUA,
            Command::WriteZeroes => FLAG_FUA | FLAG_NO_HOLE | FLAG_FAST_ZERO,
            Command::Unknown => return Err(errno::INVAL),
            _ => FLAG_FUA,
        };
        let is_data = matches!(self.command, Command::Read | Command::Write);
        if self.flags & !allowed != 0 || is_data && self.len > MAX_PAYLOAD {
            return Err(errno::INVAL);
        }
        let end = self.offset.checked_add(u64::from(self.len));
        let beyond = self.command != Command::Flush && end.is_none_or(|end| end > size);
        match self.command {
            Command::Write | Command::WriteZeroes if beyond => Err(errno::NOSPC),
            _ if beyond => Err(errno::INVAL),
            _ => Ok(()),
        }
    }
}

/// The protocol's error numbers.
pub mod errno {
    #![allow(missing_docs)]
    pub const IO: u32 = 5;
    pub const INVAL: u32 = 22;
    pub const NOSPC: u32 = 28;
}

/// The protocol's number for an error.
pub fn error_number(error: Error) -> u32 {
    match error {
        Error::NoSpace => errno::NOSPC,
        Error::OutOfRange => errno::INVAL,
        Error::Lost => errno::IO,
    }
}

/// Flag of the last part of a structured reply, and the type of one with data.
const DONE: u16 = 1;
const OFFSET_DATA: u16 = 1;

/// Header before a part of the data of a structured reply.
pub fn fragment_header(cookie: u64, part: Extent, is_last: bool) -> Vec<u8> {
    let mut bytes = reply_header(true, cookie, 0, Some((part.offset, part.len as usize)));
    let flags = if is_last { DONE } else { 0 };
    bytes[4..6].copy_from_slice(&flags.to_be_bytes());
    bytes
}

/// Header before the data of a reply. `read`: the offset and length of the data, if there are any.
pub fn reply_header(structured: bool, cookie: u64, error: u32, read: Option<(u64, usize)>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(32);
    // Only replies to reads have to be structured.
    let Some((offset, len)) = read.filter(|_| structured) else {
        bytes.extend(SIMPLE_REPLY_MAGIC.to_be_bytes());
        bytes.extend(error.to_be_bytes());
        bytes.extend(cookie.to_be_bytes());
        return bytes;
    };
    const ERROR: u16 = 1 << 15 | 1;
    bytes.extend(STRUCTURED_REPLY_MAGIC.to_be_bytes());
    bytes.extend(DONE.to_be_bytes());
    bytes.extend(if error == 0 { OFFSET_DATA } else { ERROR }.to_be_bytes());
    bytes.extend(cookie.to_be_bytes());
    if error == 0 {
        bytes.extend((len as u32 + 8).to_be_bytes());
        bytes.extend(offset.to_be_bytes());
    } else {
        // The error, and a message of no bytes.
        bytes.extend(6_u32.to_be_bytes());
        bytes.extend(error.to_be_bytes());
        bytes.extend(0_u16.to_be_bytes());
    }
    bytes
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_be_bytes(bytes[at..at + 8].try_into().expect("8 bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(command: u16, flags: u16, offset: u64, len: u32) -> Header {
        let mut bytes = REQUEST_MAGIC.to_be_bytes().to_vec();
        bytes.extend(flags.to_be_bytes());
        bytes.extend(command.to_be_bytes());
        bytes.extend(7_u64.to_be_bytes());
        bytes.extend(offset.to_be_bytes());
        bytes.extend(len.to_be_bytes());
        Header::parse(&bytes.try_into().expect("28 bytes")).expect("a request")
    }

    #[test]
    fn a_request_is_what_its_bytes_say() {
        let header = request(1, FLAG_FUA, 1 << 40, 4096);
        let wanted =
            Header { command: Command::Write, flags: FLAG_FUA, cookie: 7, offset: 1 << 40, len: 4096 };
        assert_eq!(header, wanted);
        assert_eq!(header.payload(), 4096);
        assert_eq!(Header::parse(&header.to_bytes()), Ok(header));
        assert_eq!(Header::parse(&[0; 28]), Err(Malformed::Magic));
    }

    #[test]
    fn what_cannot_be_done_is_refused_by_the_right_number() {
        let size = 1 << 20;
        for (command, flags, offset, len, expected) in [
            (0, 0, 0, 4096, Ok(())),
            (0, FLAG_DF, size - 1, 1, Ok(())),
            (0, 0, size, 1, Err(errno::INVAL)),
            (1, 0, size, 1, Err(errno::NOSPC)),
            (1, 0, u64::MAX, 2, Err(errno::NOSPC)),
            (1, FLAG_NO_HOLE, 0, 1, Err(errno::INVAL)),
            (3, FLAG_FUA, 0, 0, Ok(())),
            (4, 0, 0, 1 << 20, Ok(())),
            (4, 0, 1, 1 << 20, Err(errno::INVAL)),
            (6, FLAG_NO_HOLE | FLAG_FAST_ZERO, 0, 1 << 20, Ok(())),
            (7, 0, 0, 1, Err(errno::INVAL)),
        ] {
            assert_eq!(request(command, flags, offset, len).check(size), expected, "{command} {offset}");
        }
        assert_eq!(request(0, 0, 0, MAX_PAYLOAD + 1).check(1 << 40), Err(errno::INVAL));
        assert_eq!(request(6, 0, 0, MAX_PAYLOAD + 1).check(1 << 40), Ok(()), "no data are sent for it");
    }

    #[test]
    fn lengths_within_an_option_must_fit() {
        let data = [0, 0, 0, 1, b'x', 0, 1, 0, 3];
        assert_eq!(parse_info(&data), Some((&b"x"[..], true)));
        assert_eq!(parse_info(&[0, 0, 0, 0, 0, 0]), Some((&b""[..], false)));
        for wrong in [&data[..8], &data[..3], &[0, 0, 0, 9, b'x', 0, 0], &[0, 0, 0, 0, 0, 0, 1], &[255; 40]] {
            assert_eq!(parse_info(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn only_replies_to_reads_are_structured() {
        assert_eq!(reply_header(true, 7, 0, None).len(), 16);
        assert_eq!(reply_header(false, 7, 0, Some((0, 512))).len(), 16);
        let data = reply_header(true, 7, 0, Some((4096, 512)));
        assert_eq!((data.len(), u32_at(&data, 16), u64_at(&data, 20)), (28, 520, 4096));
        let part = fragment_header(7, Extent { offset: 4096, len: 512 }, false);
        assert_eq!((&part[..4], &part[4..6], &part[6..]), (&data[..4], &[0, 0][..], &data[6..]));
        assert_eq!(fragment_header(7, Extent { offset: 4096, len: 512 }, true), data);
        let error = reply_header(true, 7, errno::IO, Some((4096, 512)));
        assert_eq!((error.len(), u32_at(&error, 16), u32_at(&error, 20)), (26, 6, errno::IO));
    }
}
