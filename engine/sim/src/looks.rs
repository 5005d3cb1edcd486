//! Resident units that are unmapped in turn, so that a read of them is a fault, and seen. The engine does not do so:
//! decision 113 has the figures.

use ztera_store::UnitIndex;

/// Whose turn it is.
#[derive(Debug, Default)]
pub struct Looks {
    /// Of so many units one is unmapped at a time; 0 = none ever is.
    one_in: u64,
    /// Touches after which the next ones have their turn.
    turn: u64,
    touches: u64,
    seen: u64,
}

impl Looks {
    /// None.
    pub fn never() -> Looks {
        Looks::default()
    }

    /// Of so many units one at a time, for so many touches.
    pub fn at(one_in: u64, turn: u64) -> Looks {
        Looks { one_in, turn: turn.max(1), ..Looks::default() }
    }

    /// Whether a touch of a resident unit is seen.
    pub fn sees(&mut self, unit: UnitIndex) -> bool {
        self.touches += 1;
        self.one_in > 0 && u64::from(unit.0) % self.one_in == self.touches / self.turn % self.one_in
    }

    /// It was, and the unit is mapped again.
    pub fn count(&mut self) {
        self.seen += 1;
    }

    /// Faults that this took.
    pub fn seen(&self) -> u64 {
        self.seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_has_its_turn() {
        let mut looks = Looks::at(4, 10);
        let seen: Vec<u32> =
            (0..40).filter_map(|touch| looks.sees(UnitIndex(touch % 4)).then_some(touch % 4)).collect();
        assert!(
            (0..4).all(|unit| (2..=3).contains(&seen.iter().filter(|it| **it == unit).count())),
            "{seen:?}"
        );
        assert!(!Looks::never().sees(UnitIndex(0)));
    }
}
