//! The NBD server of the block device: what a client can send before it is believed anything.

use ztera_disk::nbd::handshake::{Export, negotiate};
use ztera_disk::nbd::wire::{Command, Header};

const EXPORT: Export = Export { size: 1 << 20, preferred: 16384 };

/// The first byte says whether the rest is a handshake or requests.
pub fn nbd(data: &[u8]) {
    match data.split_first() {
        Some((0, handshake)) => greet(handshake),
        Some((_, requests)) => requests.chunks(Header::LEN).for_each(request),
        None => {}
    }
}

fn greet(mut handshake: &[u8]) {
    let sent = handshake.len();
    let mut said = Vec::new();
    // Refused or not: it must only end, and say no more than it has reason to.
    let agreed = negotiate(&mut handshake, &mut said, EXPORT);
    assert!(said.starts_with(b"NBDMAGICIHAVEOPT"));
    assert!(said.len() <= 18 + (sent / 16 + 1) * 134, "{} bytes for {sent}: {agreed:?}", said.len());
}

fn request(bytes: &[u8]) {
    let Ok(bytes) = <&[u8; Header::LEN]>::try_from(bytes) else { return };
    // Few inputs begin as a request by chance, so both are looked at: the bytes, and the request that they would be.
    let magic = Header { command: Command::Read, flags: 0, cookie: 0, offset: 0, len: 0 }.to_bytes();
    let mut begun = *bytes;
    begun[..4].copy_from_slice(&magic[..4]);
    for bytes in [bytes, &begun] {
        let Ok(header) = Header::parse(bytes) else { continue };
        assert!(header.command == Command::Unknown || header.to_bytes() == *bytes);
        let is_inside = header.offset.checked_add(header.len.into()).is_some_and(|end| end <= EXPORT.size);
        let is_accepted = header.check(EXPORT.size).is_ok();
        assert!(!is_accepted || is_inside || header.command == Command::Flush, "{header:?}");
    }
}
