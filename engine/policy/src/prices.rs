//! The costs of having contents where they are, as measured while the program runs.

/// Sums of a running range: nanoseconds, and what took them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Decoding, and units whose contents were asked for.
    pub decode_ns: u64,
    /// See `decode_ns`.
    pub loaded: u64,
    /// Encoding, and units that were stored.
    pub encode_ns: u64,
    /// See `encode_ns`.
    pub stored: u64,
}

/// Nanoseconds, on average.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prices {
    /// A fault of a unit that the pool has, with the later drop of its pages.
    pub fault: u64,
    /// Storing a unit that leaves without a copy.
    pub store: u64,
}

/// A signal, the copy of a few pages and their unmapping, beside decoding (measured: 1.8, 1.0 to 1.8 and 0.4 us).
const FAULT: u64 = 4_000;

/// Protecting a unit, and a place in the pool, beside encoding (1.4 to 3.4 us).
const STORE: u64 = 3_000;

/// Units after which an average says something, and what the codecs take of a unit of 8 KiB (lz4) until then.
const ENOUGH: u64 = 256;
const DECODE: u64 = 4_500;
const ENCODE: u64 = 12_000;

impl Prices {
    /// As `sums` tell them.
    pub fn of(Sums { decode_ns, loaded, encode_ns, stored }: Sums) -> Self {
        let mean = |ns: u64, units: u64, at_first: u64| if units < ENOUGH { at_first } else { ns / units };
        Self {
            fault: FAULT + mean(decode_ns, loaded, DECODE),
            store: STORE + mean(encode_ns, stored, ENCODE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_take_the_place_of_guesses() {
        let few = Sums { decode_ns: 9, loaded: 1, encode_ns: 9, stored: 1 };
        assert_eq!(Prices::of(few), Prices { fault: 8_500, store: 15_000 });
        let many = Sums { decode_ns: 20_000_000, loaded: 1000, encode_ns: 50_000_000, stored: 1000 };
        assert_eq!(Prices::of(many), Prices { fault: 24_000, store: 53_000 });
    }
}
