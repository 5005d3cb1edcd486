//! How long threads wait for memory, as Linux tells (Documentation/accounting/psi.rst).

use std::fs::read_to_string;
use std::path::Path;

/// The file for the whole system.
pub const SYSTEM: &str = "/proc/pressure/memory";

/// The file of a group of version 2, in its directory.
pub const OF_GROUP: &str = "memory.pressure";

/// Share of the last ten seconds in which some thread waited for memory, in hundredths of a percent. `None` if the kernel
/// does not tell.
pub fn read(file: &Path) -> Option<u32> {
    parse(&read_to_string(file).ok()?)
}

fn parse(text: &str) -> Option<u32> {
    let some = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let (percent, hundredths) =
        some.split(' ').find_map(|field| field.strip_prefix("avg10="))?.split_once('.')?;
    Some(percent.parse::<u32>().ok()? * 100 + hundredths.parse::<u32>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_words_are_understood() {
        let text =
            "some avg10=12.34 avg60=0.00 avg300=0.00 total=639622\nfull avg10=1.00 avg60=0.00 total=5\n";
        assert_eq!(parse(text), Some(1234));
        for other in ["", "full avg10=1.00 avg60=0.00", "some avg10=x avg60=0", "some avg60=1.00"] {
            assert_eq!(parse(other), None, "{other}");
        }
    }
}
