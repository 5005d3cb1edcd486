// Copyright (c) 2026, the ZTera authors.
// SPDX-License-Identifier: MIT OR Apache-2.0

//! The arguments for `java` are for the JVM, and not the program or for it.

use std::ffi::OsString;

/// Options of the launcher whose value is the next word.
const WITH_VALUE: [&str; 14] = [
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--limit-modules",
    "--enable-native-access",
    "--add-exports",
    "--add-opens",
    "--add-reads",
    "--patch-module",
    "--source",
];

/// The options of the JVM among the words after `java`, in their order.
pub fn of_jvm(words: &[OsString]) -> Vec<OsString> {
    let mut options = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        // A file of arguments may name the program too, which the launcher is told not to run.
        let is_option = text.starts_with(['-', '@']);
        if !is_option || text == "-m" || text == "--module" || text.starts_with("--module=") {
            break;
        }
        // The program that it announces is the next word that is no option.
        if text == "-jar" {
            continue;
        }
        options.push(word.clone());
        if WITH_VALUE.contains(&&*text) {
            options.extend(words.next().cloned());
        }
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &str) -> String {
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        of_jvm(&words).iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_program_and_its_arguments_are_left_out() {
        let flags = "-Xmx1g -XX:H2Size=8g";
        assert_eq!(of(flags), flags);
        assert_eq!(of(&format!("{flags} Main -Xmx2g")), flags);
        assert_eq!(of(&format!("{flags} -jar app.jar -version")), flags);
        assert_eq!(of(&format!("-jar {flags} app.jar --fast")), flags);
        assert_eq!(of(&format!("{flags} -m mod/Main -x")), flags);
        assert_eq!(of(&format!("{flags} --module=mod/Main -x")), flags);
    }

    #[test]
    fn the_value_of_an_option_is_not_the_program() {
        assert_eq!(of("-cp a.jar -Xmx1g Main x"), "-cp a.jar -Xmx1g");
        assert_eq!(
            of("--add-opens java.base/java.lang=ALL-UNNAMED Main"),
            "--add-opens java.base/java.lang=ALL-UNNAMED"
        );
        assert_eq!(
            of("--add-opens=java.base/java.lang=ALL-UNNAMED Main"),
            "--add-opens=java.base/java.lang=ALL-UNNAMED"
        );
        assert_eq!(of("-cp"), "-cp");
    }

    #[test]
    fn files_of_arguments_are_options() {
        assert_eq!(of("@flags.txt -Xmx1g Main"), "@flags.txt -Xmx1g");
    }
}
