//! The token that callers must bring.
//!
//! Owns it and the comparing. It is never shown, and comparing takes as long whatever is wrong.

use std::fmt;
use std::path::Path;

use sha2::{Digest, Sha256};

/// A token. Only a hash of it is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct Token([u8; 32]);

impl Token {
    /// The token in `text`, without white space around it.
    ///
    /// # Errors
    /// A sentence, where there is none, or it couldn't be sent in a header.
    pub fn new(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.is_empty() {
            return Err("the token is empty; use a long random text".to_owned());
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("the token must be of ASCII letters, digits and signs".to_owned());
        }
        Ok(Self(hash(text.as_bytes())))
    }

    /// The token in a file.
    ///
    /// # Errors
    /// A sentence, where it can't be read or holds none.
    pub fn read(path: &Path) -> Result<Self, String> {
        let place = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("--token-file {place}: it can't be read: {error}"))?;
        Self::new(&text).map_err(|problem| format!("--token-file {place}: {problem}"))
    }

    /// Whether an `Authorization` header brings it.
    pub(super) fn is_in(&self, header: &[u8]) -> bool {
        let Some((scheme, brought)) = header.split_at_checked("Bearer ".len()) else {
            return false;
        };
        let brought = hash(brought.trim_ascii());
        let differences = self
            .0
            .iter()
            .zip(brought)
            .fold(0, |all, (own, other)| all | (own ^ other));
        scheme.eq_ignore_ascii_case(b"Bearer ") && differences == 0
    }
}

fn hash(text: &[u8]) -> [u8; 32] {
    Sha256::digest(text).into()
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_the_very_token_is_taken() {
        let token = Token::new(" s3cret\n").unwrap();
        for (header, taken) in [
            ("Bearer s3cret", true),
            ("bearer s3cret", true),
            ("Bearer s3cret ", true),
            ("Bearer s3cre", false),
            ("Bearer s3cret2", false),
            ("Bearer", false),
            ("Basic s3cret", false),
            ("s3cret", false),
            ("", false),
        ] {
            assert_eq!(token.is_in(header.as_bytes()), taken, "{header:?}");
        }
        assert!(!format!("{token:?}").contains("s3cret"));
        assert!(Token::new(" \n").is_err());
        assert!(Token::new("two words").is_err());
    }
}
