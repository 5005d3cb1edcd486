//! Everything one thread needs to encode and decode units.

use crate::codec::{Codec, CodecKind, DecodeError};
use crate::frame::Form;
use crate::numbers::{self, Found, Numbers};
use crate::settings::Settings;
use crate::{deflate::Deflate, fill, frame, lz4::Lz4, split, zstd::Zstd};

/// The outcome of packing a unit.
#[derive(Debug, PartialEq, Eq)]
pub enum Packed<'a> {
    /// It repeats this word.
    Same(u32),
    /// It shrank to this frame, which borrows the packer's scratch memory.
    Frame(&'a [u8]),
    /// It does not compress: keep the bytes as they are.
    Huge,
}

/// Encoder and decoder with all their working memory, for one thread at a time.
pub struct Packer {
    settings: Settings,
    filters: bool,
    codecs: Codecs,
    frame: Box<[u8]>,
    /// The bytes that a filter leaves over.
    rest: Box<[u8]>,
}

impl Packer {
    /// A packer for units of up to `unit_len` bytes.
    pub fn new(settings: Settings, unit_len: usize) -> Self {
        let acceleration = if settings.kind == CodecKind::Lz4 { settings.level } else { 0 };
        Self {
            settings,
            filters: true,
            codecs: Codecs { lz4: Lz4::new(acceleration), zstd: None, deflate: None },
            frame: vec![0; frame::HEADER + Self::limit(unit_len)].into_boxed_slice(),
            // Units of which more is left over are not worth a filter.
            rest: vec![0; unit_len / 2].into_boxed_slice(),
        }
    }

    /// One that gives every unit to the codec as it is, to compare with.
    pub fn without_filters(settings: Settings, unit_len: usize) -> Self {
        Self { filters: false, ..Self::new(settings, unit_len) }
    }

    /// The longest body worth keeping for a unit of `unit_len` bytes: with the header 7/8 of it.
    pub fn limit(unit_len: usize) -> usize {
        (unit_len - unit_len / 8).saturating_sub(frame::HEADER).min(frame::MAX_BODY)
    }

    /// Encodes `unit`, whose length is a multiple of 8.
    pub fn pack(&mut self, unit: &[u8]) -> Packed<'_> {
        self.pack_with(unit, Self::pack_all)
    }

    /// The same of whole pages. Where only a codec has a part in it, each page is encoded by itself, so that
    /// [`unpack_pages`](Self::unpack_pages) decodes no others.
    pub fn pack_split(&mut self, unit: &[u8]) -> Packed<'_> {
        self.pack_with(unit, Self::pack_pages)
    }

    fn pack_with(&mut self, unit: &[u8], other: fn(&mut Self, &[u8]) -> Option<usize>) -> Packed<'_> {
        if let Some(word) = fill::detect(unit) {
            return Packed::Same(word);
        }
        let found = if self.filters { numbers::look(unit) } else { Found::Other };
        let len = match found {
            Found::Numbers(numbers) => self.pack_numbers(unit, numbers).or_else(|| self.pack_all(unit)),
            Found::Noise => self.pack_noise(unit),
            Found::Other => other(self, unit),
        };
        len.map_or(Packed::Huge, |len| Packed::Frame(&self.frame[..len]))
    }

    /// The codec of new frames.
    pub fn kind(&self) -> CodecKind {
        self.settings.kind
    }

    /// Whether a unit is as good as its codec alone makes it: no repeated word, no numbers for a filter, and no noise.
    pub fn is_plain(unit: &[u8]) -> bool {
        fill::detect(unit).is_none() && matches!(numbers::look(unit), Found::Other)
    }

    fn pack_all(&mut self, unit: &[u8]) -> Option<usize> {
        let Self { settings, codecs, frame, .. } = self;
        let len = codecs.get(*settings).compress(unit, body(frame, unit.len()))?;
        frame::write_header(frame, settings.kind, Form::Whole, len);
        Some(frame::HEADER + len)
    }

    fn pack_pages(&mut self, unit: &[u8]) -> Option<usize> {
        let Self { settings, codecs, frame, .. } = self;
        let len = split::pack(unit, codecs.get(*settings), body(frame, unit.len()))?;
        frame::write_header(frame, settings.kind, Form::Split, len);
        Some(frame::HEADER + len)
    }

    /// Noise may still have been copied as a whole, which the hastiest search finds.
    fn pack_noise(&mut self, unit: &[u8]) -> Option<usize> {
        let len = self.codecs.lz4.compress_in_haste(unit, body(&mut self.frame, unit.len()))?;
        frame::write_header(&mut self.frame, CodecKind::Lz4, Form::Whole, len);
        Some(frame::HEADER + len)
    }

    fn pack_numbers(&mut self, unit: &[u8], numbers: Numbers) -> Option<usize> {
        let Self { settings, codecs, frame, rest, .. } = self;
        let body = body(frame, unit.len());
        let lens = numbers.split(unit, body.get_mut(frame::NUMBERS_HEADER..)?, rest)?;
        frame::write_numbers_header(body, lens)?;
        let before = frame::NUMBERS_HEADER + lens.packed;
        let len = before + codecs.get(*settings).compress(&rest[..lens.rest], &mut body[before..])?;
        frame::write_header(frame, settings.kind, Form::Numbers(numbers), len);
        Some(frame::HEADER + len)
    }

    /// Decodes `object`, a frame that may be followed by anything, and fills `unit` exactly.
    ///
    /// Safe for any input whatever: it fails with an error, never reads or writes out of bounds and
    /// never panics. After an error `unit` may hold anything.
    pub fn unpack(&mut self, object: &[u8], unit: &mut [u8]) -> Result<(), DecodeError> {
        self.unpack_pages(object, unit, |_| true)
    }

    /// The same, but only pages with a number that is `wanted` are sure to be decoded. Others hold anything.
    pub fn unpack_pages(
        &mut self,
        object: &[u8],
        unit: &mut [u8],
        wanted: impl Fn(usize) -> bool,
    ) -> Result<(), DecodeError> {
        let frame = frame::parse(object)?;
        let Self { settings, codecs, rest, .. } = self;
        let codec = codecs.get(Settings { kind: frame.kind, ..*settings });
        match frame.form {
            Form::Whole if frame.kind == CodecKind::Lz4 => unpack_front(frame.body, unit, wanted),
            Form::Whole => codec.decompress(frame.body, unit),
            Form::Split => split::unpack(frame.body, codec, unit, wanted),
            Form::Numbers(numbers) => {
                let (rest_len, packed, output) = frame::parse_numbers(frame.body)?;
                let rest = rest.get_mut(..rest_len).ok_or(DecodeError::Malformed)?;
                codec.decompress(output, rest)?;
                numbers.join(packed, rest, unit)
            }
        }
    }
}

/// lz4 can stop behind the last page that is wanted.
fn unpack_front(body: &[u8], unit: &mut [u8], wanted: impl Fn(usize) -> bool) -> Result<(), DecodeError> {
    let last = (0..unit.len().div_ceil(split::PAGE)).rev().find(|&page| wanted(page));
    let end = last.map_or(0, |last| ((last + 1) * split::PAGE).min(unit.len()));
    if end == unit.len() { Lz4::decode(body, unit) } else { Lz4::decode_front(body, &mut unit[..end]) }
}

/// Where the body of a unit's frame goes: no more than is worth keeping.
fn body(frame: &mut [u8], unit_len: usize) -> &mut [u8] {
    let end = (frame::HEADER + Packer::limit(unit_len)).min(frame.len());
    &mut frame[frame::HEADER..end]
}

/// The codecs with their contexts.
struct Codecs {
    lz4: Lz4,
    // Built on first use: their contexts take hundreds of KiB.
    zstd: Option<Box<Zstd>>,
    deflate: Option<Box<Deflate>>,
}

impl Codecs {
    fn get(&mut self, Settings { kind, level }: Settings) -> &mut dyn Codec {
        match kind {
            CodecKind::Lz4 => &mut self.lz4,
            CodecKind::Zstd => self.zstd.get_or_insert_with(|| Box::new(Zstd::new(level))).as_mut(),
            CodecKind::Deflate => self.deflate.get_or_insert_with(|| Box::new(Deflate::new(level))).as_mut(),
        }
    }
}
