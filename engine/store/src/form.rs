//! The form of an object, as the user of its unit wants it.

/// How small an object is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Density {
    /// As the codec for new objects makes it.
    Usual,
    /// As small as it can be, if its thread has time for that.
    Dense,
}

/// How a program uses a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// All of it at a time.
    Whole,
    /// One page at a time.
    ByPage,
}
