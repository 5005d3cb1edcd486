//! Encryption of what is written: AES-256-GCM, by a well-kept crate that uses the CPU's instructions for it.
//!
//! The key is drawn when the file is made, is nowhere but in this process, and ends with it. A nonce is never
//! used twice with it: in one life of a segment a place is written once.

use std::{fmt, io};

use aes_gcm::aead::array::Array;
use aes_gcm::{AeadInOut, Aes256Gcm, KeyInit};

use crate::record::Corrupt;

/// Bytes by which what is encrypted is longer.
pub(crate) const TAG: usize = 16;

/// Bytes that nobody can guess, from the kernel.
pub(crate) fn random<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    let drawn = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    if drawn < N {
        return Err(io::Error::other("the kernel gave too few random bytes"));
    }
    Ok(bytes)
}

/// Encrypts and decrypts the bodies of records. May be used by any thread.
pub(crate) struct Cipher(Aes256Gcm);

impl fmt::Debug for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cipher")
    }
}

impl Cipher {
    /// With a new key from the kernel.
    pub fn new() -> io::Result<Self> {
        Ok(Self(Aes256Gcm::new(&random::<32>()?.into())))
    }

    /// Encrypts all of `body` but its last [`TAG`] bytes, where it puts what proves them.
    pub fn seal(&self, life: u32, offset: u64, body: &mut [u8]) {
        let (bytes, tag) = body.split_at_mut(body.len() - TAG);
        let made = self.0.encrypt_inout_detached(&nonce(life, offset).into(), &[], bytes.into());
        tag.copy_from_slice(&made.expect("a record is far shorter than what one nonce is good for"));
    }

    /// Decrypts what [`seal`](Self::seal) made with the same `life` and `offset` into `out`.
    pub fn open(&self, life: u32, offset: u64, body: &[u8], out: &mut Vec<u8>) -> Result<(), Corrupt> {
        let (bytes, tag) = body.split_last_chunk::<TAG>().ok_or(Corrupt)?;
        out.clear();
        out.extend_from_slice(bytes);
        let nonce = nonce(life, offset).into();
        let opened =
            self.0.decrypt_inout_detached(&nonce, &[], out.as_mut_slice().into(), &Array::from(*tag));
        opened.map_err(|_| Corrupt)
    }
}

fn nonce(life: u32, offset: u64) -> [u8; 12] {
    let mut nonce = [0; 12];
    nonce[..4].copy_from_slice(&life.to_le_bytes());
    nonce[4..].copy_from_slice(&offset.to_le_bytes());
    nonce
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(cipher: &Cipher, life: u32, offset: u64, bytes: &[u8]) -> Vec<u8> {
        let mut body = [bytes, &[0; TAG]].concat();
        cipher.seal(life, offset, &mut body);
        body
    }

    #[test]
    fn only_the_same_key_and_place_open_it() {
        let (cipher, other) = (Cipher::new().unwrap(), Cipher::new().unwrap());
        let body = sealed(&cipher, 3, 4096, b"some bytes, and some more of them");
        let mut out = Vec::new();
        cipher.open(3, 4096, &body, &mut out).expect("it is what was sealed");
        assert_eq!(out, b"some bytes, and some more of them");
        for (cipher, life, offset) in [(&other, 3, 4096), (&cipher, 4, 4096), (&cipher, 3, 8192)] {
            assert_eq!(cipher.open(life, offset, &body, &mut out), Err(Corrupt));
        }
        for at in 0..body.len() {
            let mut changed = body.clone();
            changed[at] ^= 1;
            assert_eq!(cipher.open(3, 4096, &changed, &mut out), Err(Corrupt), "byte {at}");
        }
        assert_eq!(cipher.open(3, 4096, &body[..TAG - 1], &mut out), Err(Corrupt));
    }

    #[test]
    fn equal_bytes_look_different_elsewhere() {
        let cipher = Cipher::new().unwrap();
        let bodies = [(1, 0), (1, 64), (2, 0)].map(|(life, offset)| sealed(&cipher, life, offset, &[0; 64]));
        assert!(bodies[0][..64] != bodies[1][..64] && bodies[0][..64] != bodies[2][..64]);
        assert!(bodies.iter().all(|body| body.windows(8).all(|window| window != [0; 8])));
    }
}
