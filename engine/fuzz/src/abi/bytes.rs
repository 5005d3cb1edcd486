//! A program, byte by byte.

/// The program's bytes, one by one.
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    pub fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// A number below `n`; 0 once the bytes are used up.
    pub fn below(&mut self, n: usize) -> usize {
        let wide = usize::from(self.next().unwrap_or(0)) | usize::from(self.next().unwrap_or(0)) << 8;
        wide % n
    }
}
