//! From the name of a spec to that of its file, and back.
//!
//! Owns which names are safe as files on every system. The name inside the spec is the true one.

use std::fmt::Write as _;
use std::path::Path;

use super::fingerprint;
use crate::text::shown;

/// What the file of a spec ends with.
pub(super) const SUFFIX: &str = ".wait.json";
/// Bytes of a name as a file has it; a longer one is cut, and told apart by a hash.
const LONGEST: usize = 180;
/// What no file system but our own kind allows, and what stands for it.
const UNSAFE: &[char] = &['/', '\\', ':', '*', '?', '"', '<', '>', '|', '%'];
/// Names that mean devices on Windows, whatever comes behind a dot.
const DEVICES: &[&str] = &[
    "con", "prn", "aux", "nul", "com", "lpt", "conin$", "conout$",
];

/// The name of the file for a spec called `name`: the name itself where that is safe, else with
/// what is not safe written as `%` and the two digits of each byte. Different names have different
/// files, but where the file system takes them for the same.
#[must_use]
pub fn file_name(name: &str) -> String {
    safe_stem(name) + SUFFIX
}

/// The same, without what the file of a spec ends with.
#[must_use]
pub fn safe_stem(name: &str) -> String {
    let device = is_device(name);
    let mut safe = String::new();
    for piece in shown(name) {
        let (first, last) = (piece.source.start == 0, piece.source.end == name.len());
        let letters = &name[piece.source];
        let escaped = piece.symbol
            || letters.contains(UNSAFE)
            || (first && (device || letters.starts_with(['.', '-', '~', ' '])))
            || (last && letters == " ");
        if escaped {
            for byte in letters.bytes() {
                // Writing to a String can't fail.
                let _ = write!(safe, "%{byte:02X}");
            }
        } else {
            safe.push_str(letters);
        }
    }
    if safe.len() > LONGEST {
        let hash = fingerprint(name);
        let end = (0..=LONGEST).rev().find(|end| safe.is_char_boundary(*end));
        safe.truncate(end.unwrap_or(0));
        safe = safe + "%~" + &hash[..16];
    }
    safe
}

/// The name that the file of a spec stands for, where it is one; of a name that was cut, what is
/// left.
#[must_use]
pub fn name_in(path: &Path) -> Option<String> {
    let file = path.file_name()?.to_str()?;
    let stem = file.strip_suffix(SUFFIX)?;
    (!stem.is_empty()).then(|| name_of_stem(stem))
}

/// The name that a safe one stands for.
#[must_use]
pub fn name_of_stem(stem: &str) -> String {
    let stem = stem.rsplit_once("%~").map_or(stem, |(stem, _)| stem);
    unescaped(stem)
}

fn unescaped(stem: &str) -> String {
    let mut bytes = Vec::with_capacity(stem.len());
    let mut rest = stem;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        let byte = after
            .get(..2)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend(rest.bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

fn is_device(name: &str) -> bool {
    let stem = name
        .split('.')
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_lowercase();
    let stem = stem
        .strip_suffix(|last: char| last.is_ascii_digit())
        .unwrap_or(&stem);
    DEVICES.contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn usual_names_stay_as_they_are() {
        for name in ["release build", "状态", "web-3.2 (prod)", "é", "👍"] {
            assert_eq!(file_name(name), format!("{name}.wait.json"));
        }
    }

    #[test]
    fn f20_a_name_leads_out_of_no_folder_and_hides_no_file() {
        for (name, file) in [
            ("../../etc/passwd", "%2E./..%2Fetc%2Fpasswd"),
            ("..", "%2E."),
            (".hidden", "%2Ehidden"),
            ("a/b\\c:d", "a%2Fb%5Cc%3Ad"),
            ("50%", "50%25"),
            ("con", "%63on"),
            ("COM1.txt", "%43OM1.txt"),
            ("a\u{1b}[2J\n", "a%1B[2J%0A"),
            ("a\u{202e}b", "a%E2%80%AEb"),
            (" a ", "%20a%20"),
            ("-rf", "%2Drf"),
        ] {
            let expected = file.replace("./..", ".%2F..") + SUFFIX;
            assert_eq!(file_name(name), expected);
        }
    }

    proptest! {
        #[test]
        fn a_name_is_read_back_from_its_file_and_fits_any_file_system(name in "\\PC{1,300}|.{1,40}") {
            let file = file_name(&name);
            prop_assert!(file.len() < 240 && !file.contains(['/', '\\', '\0']) && !file.starts_with('.'));
            if !file.contains("%~") {
                prop_assert_eq!(name_in(Path::new(&file)), Some(name));
            }
        }

        #[test]
        fn long_names_that_begin_alike_have_files_of_their_own(a in "[a-c]{0,3}", b in "[a-c]{0,3}") {
            let long = "x".repeat(300);
            let files = [&a, &b].map(|end| file_name(&format!("{long}{end}")));
            prop_assert_eq!(a == b, files[0] == files[1]);
        }
    }
}
