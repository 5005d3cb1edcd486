//! The counters of a JVM that is none, in the form of its file `hsperfdata_USER/PID`.

/// The file with these entries.
pub fn file(entries: &[Vec<u8>]) -> Vec<u8> {
    let little = u8::from(cfg!(target_endian = "little"));
    let mut bytes = vec![0xca, 0xfe, 0xc0, 0xc0, little, 2, 0, 1];
    bytes.resize(24, 0);
    bytes.extend(32i32.to_ne_bytes());
    bytes.extend((entries.len() as i32).to_ne_bytes());
    bytes.extend(entries.concat());
    bytes
}

/// A counter that is a number.
pub fn number(name: &str, value: i64) -> Vec<u8> {
    entry(name, b'J', 0, &value.to_ne_bytes())
}

/// A counter that is a text. A JVM may have room behind its end, as zeros.
pub fn text(name: &str, value: &[u8]) -> Vec<u8> {
    entry(name, b'B', value.len(), value)
}

fn entry(name: &str, kind: u8, elements: usize, value: &[u8]) -> Vec<u8> {
    let data = (20 + name.len() + 1).next_multiple_of(8);
    let length = (data + value.len()).next_multiple_of(8);
    let words = [length, 20, elements].map(|word| (word as i32).to_ne_bytes());
    let mut bytes = words.concat();
    bytes.extend([kind, 0, 0, 0]);
    bytes.extend((data as i32).to_ne_bytes());
    bytes.extend(name.as_bytes());
    bytes.resize(data, 0);
    bytes.extend(value);
    bytes.resize(length, 0);
    bytes
}
