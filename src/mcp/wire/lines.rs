//! Bytes cut into lines of bounded length.
//!
//! Owns the cutting. Must not know what a line means. However long a line is, no more than the
//! limit is ever held.

use super::Envelope;

/// Bytes kept of a line that is too long, to be shown.
const HEAD: usize = 4 * 1024;

/// One line, without its end.
#[derive(Debug)]
pub(in crate::mcp) enum Line {
    /// A line within the limit.
    Whole(Vec<u8>),
    /// A line beyond it: its first bytes, and what is known of the message in it. It comes as soon
    /// as it is known which request it answers, else at the line's end.
    TooLong {
        /// The first bytes.
        head: Vec<u8>,
        /// The outside of the message.
        envelope: Envelope,
    },
}

/// Cuts bytes into lines.
#[derive(Debug)]
pub(in crate::mcp) struct Lines {
    limit: usize,
    buffer: Vec<u8>,
    overflow: Overflow,
}

#[derive(Debug)]
enum Overflow {
    /// The line is within the limit so far.
    No,
    /// The line is too long, and it isn't known what it answers.
    Scanning(Envelope),
    /// The line is too long and was told; the rest of it is dropped.
    Told,
}

impl Lines {
    /// Lines of at most `limit` bytes.
    pub(in crate::mcp) fn new(limit: usize) -> Self {
        Self {
            limit,
            buffer: Vec::new(),
            overflow: Overflow::No,
        }
    }

    /// Takes more bytes and tells the lines that they complete.
    pub(in crate::mcp) fn push(&mut self, mut bytes: &[u8], tell: &mut impl FnMut(Line)) {
        while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
            self.extend(&bytes[..end], tell);
            self.finish(tell);
            bytes = &bytes[end + 1..];
        }
        self.extend(bytes, tell);
    }

    /// Tells the last line, which has no end.
    pub(in crate::mcp) fn finish(&mut self, tell: &mut impl FnMut(Line)) {
        let buffer = std::mem::take(&mut self.buffer);
        match std::mem::replace(&mut self.overflow, Overflow::No) {
            Overflow::No => tell(Line::Whole(buffer)),
            Overflow::Scanning(envelope) => tell(Line::TooLong {
                head: buffer,
                envelope,
            }),
            Overflow::Told => {}
        }
    }

    fn extend(&mut self, bytes: &[u8], tell: &mut impl FnMut(Line)) {
        match &mut self.overflow {
            Overflow::No if self.buffer.len() + bytes.len() <= self.limit => {
                self.buffer.extend_from_slice(bytes);
            }
            Overflow::No => {
                let mut envelope = Envelope::default();
                envelope.feed(&self.buffer);
                envelope.feed(bytes);
                self.buffer
                    .extend_from_slice(&bytes[..bytes.len().min(HEAD)]);
                self.buffer.truncate(HEAD);
                self.buffer.shrink_to_fit();
                self.overflow = Overflow::Scanning(envelope);
                self.tell_if_known(tell);
            }
            Overflow::Scanning(envelope) => {
                envelope.feed(bytes);
                self.tell_if_known(tell);
            }
            Overflow::Told => {}
        }
    }

    fn tell_if_known(&mut self, tell: &mut impl FnMut(Line)) {
        if let Overflow::Scanning(envelope) = &mut self.overflow
            && envelope.is_known()
        {
            let envelope = std::mem::take(envelope);
            let head = std::mem::take(&mut self.buffer);
            self.overflow = Overflow::Told;
            tell(Line::TooLong { head, envelope });
        }
    }
}
