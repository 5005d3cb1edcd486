//! Which units are worth a compressed object: beside their page it makes eviction a drop and costs memory meanwhile, and
//! in the pool it takes room that others would use better.

/// Whether compression saves enough of a unit of `unit_len` bytes for an object of `stored` bytes: a quarter. Kept beside
/// their pages, other data would take nearly twice what they take plain; where there is an SSD, they go there.
pub fn is_worth_keeping(stored: u64, unit_len: u64) -> bool {
    stored <= unit_len / 4 * 3
}

/// Whether what keeps coming back gives its copy up: `data` bytes fit into a budget of `budget` bytes plain, or nearly so,
/// were it not for copies. Where they are many more, nothing is gained that outweighs making each copy again.
pub fn are_given_up(data: u64, budget: u64) -> bool {
    data <= budget.saturating_add(budget / 4)
}

/// Whether `data` bytes, all there are, fit plain into a budget of `budget` bytes: then a unit that becomes resident needs
/// no copy. An eighth is for the marks between which resident units are kept.
pub fn all_fit_plain(data: u64, budget: u64) -> bool {
    data <= budget / 8 * 7
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_plain_leaves_room_for_the_marks() {
        assert!(all_fit_plain(700, 800) && !all_fit_plain(701, 800));
    }

    #[test]
    fn data_that_fit_plain_need_no_copies() {
        assert!(are_given_up(1000, 1000) && are_given_up(1250, 1000));
        assert!(!are_given_up(1251, 1000));
    }

    #[test]
    fn a_quarter_must_be_saved() {
        assert!(is_worth_keeping(3072, 4096) && is_worth_keeping(0, 4096));
        assert!(!is_worth_keeping(3073, 4096) && !is_worth_keeping(4096, 4096));
    }
}
