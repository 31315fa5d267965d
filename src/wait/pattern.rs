//! A regex beside the text it was written as.
//!
//! Owns compiling once and comparing by source. Must not know what the pattern is for.

use std::fmt;
use std::sync::Arc;

use regex::Regex;

/// A compiled pattern of the `regex` crate: unanchored, case-sensitive, linear time. Clones share
/// the memory that matching takes, kilobytes of it.
#[derive(Clone)]
pub struct Pattern {
    regex: Arc<Regex>,
}

impl Pattern {
    /// Compiles `source`.
    ///
    /// # Errors
    /// One sentence that says what is wrong with it.
    pub fn new(source: &str) -> Result<Self, String> {
        match Regex::new(source) {
            Ok(regex) => Ok(Self {
                regex: Arc::new(regex),
            }),
            Err(regex::Error::CompiledTooBig(limit)) => Err(format!(
                "it compiles to more than {limit} bytes; use smaller repetitions"
            )),
            Err(error) => Err(last_sentence(&error.to_string())),
        }
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn source(&self) -> &str {
        self.regex.as_str()
    }

    /// The compiled form.
    #[must_use]
    pub fn regex(&self) -> &Regex {
        &self.regex
    }

    /// Whether `text` holds a match anywhere.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }
}

/// The regex crate draws the pattern with a caret over several lines; only its last line says why.
fn last_sentence(report: &str) -> String {
    let line = report.lines().last().unwrap_or(report).trim();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

impl fmt::Debug for Pattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Pattern({:?})", self.source())
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source() == other.source()
    }
}

impl Eq for Pattern {}
