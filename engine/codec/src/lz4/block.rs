//! Writes a block of LZ4, sequence by sequence.
//!
//! A sequence is a token, literals and a match. The token's high half is the number of literals, the low one the length of
//! the match above 4; 15 says that bytes follow which are added to it, up to the first below 255. A match is its distance
//! (2 bytes, little-endian). The last sequence has no match.

/// The shortest match that can be said.
const LEAST_MATCH: usize = 4;
/// The largest length in a token, and the most that a byte behind it adds.
const TOKEN_MOST: usize = 15;
const BYTE_MOST: usize = 255;
/// Literals are copied so many at a time.
const COPY: usize = 16;
/// Bytes that a sequence takes besides its literals and every 255th of them: token, the last bytes of both lengths, and distance.
const OVERHEAD: usize = 1 + 1 + 2 + 1;

/// A block that grows.
pub struct Block<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    /// Bytes of `src` that the block has so far.
    read: usize,
    /// Its length.
    len: usize,
}

impl<'a> Block<'a> {
    /// An empty one at the front of `dst`.
    pub fn new(src: &'a [u8], dst: &'a mut [u8]) -> Self {
        Self { src, dst, read: 0, len: 0 }
    }

    /// How many bytes of the source it has.
    #[inline(always)]
    pub fn read(&self) -> usize {
        self.read
    }

    /// How many bytes it takes so far.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Adds what is before `at` as literals, and as a match what is from there to `end`, which was `distance` bytes before.
    /// `None` if that does not fit.
    ///
    /// # Safety
    /// At least 4 bytes match, and 16 are in the source behind `at`, which is not before what was written.
    #[inline(always)]
    pub unsafe fn push(&mut self, at: usize, distance: usize, end: usize) -> Option<()> {
        debug_assert!(self.read <= at && at + LEAST_MATCH <= end && at + COPY <= self.src.len());
        let (literals, length) = (at - self.read, end - at - LEAST_MATCH);
        if self.len + literals + (literals + length) / BYTE_MOST + OVERHEAD + COPY > self.dst.len() {
            // Of a copy: what a call may change is not kept in registers.
            let tight = Block { src: self.src, dst: self.dst, read: self.read, len: self.len };
            (self.read, self.len) = tight.push_tightly(at, distance, end)?;
            return Some(());
        }
        // SAFETY: there is room for all of the sequence, and for what is copied beyond its literals.
        unsafe {
            self.put(token(literals, length));
            if literals >= TOKEN_MOST {
                self.put_rest(literals - TOKEN_MOST);
            }
            self.copy(literals);
            self.put_distance(distance);
            if length >= TOKEN_MOST {
                self.put_rest(length - TOKEN_MOST);
            }
        }
        self.read = end;
        Some(())
    }

    /// Adds the rest as literals, and returns the block's length. `None` if it does not fit.
    pub fn finish(mut self) -> Option<usize> {
        let literals = self.src.len() - self.read;
        self.try_put(&[token(literals, 0)])?;
        self.try_literals(literals)?;
        Some(self.len)
    }

    /// # Safety
    /// There is room.
    #[inline(always)]
    unsafe fn put(&mut self, byte: u8) {
        debug_assert!(self.len < self.dst.len());
        // SAFETY: the caller says so.
        unsafe { *self.dst.get_unchecked_mut(self.len) = byte };
        self.len += 1;
    }

    /// Bytes that add up to `rest`.
    ///
    /// # Safety
    /// There is room.
    #[inline(always)]
    unsafe fn put_rest(&mut self, mut rest: usize) {
        while rest >= BYTE_MOST {
            // SAFETY: as above.
            unsafe { self.put(BYTE_MOST as u8) };
            rest -= BYTE_MOST;
        }
        // SAFETY: as above.
        unsafe { self.put(rest as u8) };
    }

    /// # Safety
    /// There is room.
    #[inline(always)]
    unsafe fn put_distance(&mut self, distance: usize) {
        debug_assert!((1..1 << 16).contains(&distance));
        let [low, high] = (distance as u16).to_le_bytes();
        // SAFETY: the caller says so.
        unsafe {
            self.put(low);
            self.put(high);
        }
    }

    /// Literals, and some bytes behind them that are overwritten next.
    ///
    /// # Safety
    /// There is room for them and 16 more, and as many are in the source.
    #[inline(always)]
    unsafe fn copy(&mut self, literals: usize) {
        debug_assert!(self.len + literals + COPY <= self.dst.len());
        debug_assert!(self.read + literals + COPY <= self.src.len());
        let mut done = 0;
        loop {
            // SAFETY: `done` is at most `literals`, and the slices cannot overlap.
            unsafe {
                let from = self.src.as_ptr().add(self.read + done);
                let to = self.dst.as_mut_ptr().add(self.len + done);
                std::ptr::copy_nonoverlapping(from, to, COPY);
            }
            done += COPY;
            if done >= literals {
                break;
            }
        }
        self.len += literals;
    }

    /// The same as [`push`](Self::push), near the end of the destination. Returns the bytes read, and the length then.
    #[cold]
    fn push_tightly(mut self, at: usize, distance: usize, end: usize) -> Option<(usize, usize)> {
        let (literals, length) = (at - self.read, end - at - LEAST_MATCH);
        self.try_put(&[token(literals, length)])?;
        self.try_literals(literals)?;
        self.try_put(&(distance as u16).to_le_bytes())?;
        self.try_rest(length)?;
        Some((end, self.len))
    }

    fn try_literals(&mut self, literals: usize) -> Option<()> {
        self.try_rest(literals)?;
        self.try_put(&self.src[self.read..self.read + literals])
    }

    /// The part of `length` beyond the token.
    fn try_rest(&mut self, length: usize) -> Option<()> {
        let Some(rest) = length.checked_sub(TOKEN_MOST) else { return Some(()) };
        (0..rest / BYTE_MOST).try_for_each(|_| self.try_put(&[BYTE_MOST as u8]))?;
        self.try_put(&[(rest % BYTE_MOST) as u8])
    }

    fn try_put(&mut self, bytes: &[u8]) -> Option<()> {
        self.dst.get_mut(self.len..)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
        self.len += bytes.len();
        Some(())
    }
}

/// The token of a sequence: how many literals, and the length of the match above 4.
#[inline(always)]
fn token(literals: usize, length: usize) -> u8 {
    (literals.min(TOKEN_MOST) << 4 | length.min(TOKEN_MOST)) as u8
}
