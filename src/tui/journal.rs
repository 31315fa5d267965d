//! The panes that show what happens between us and a server: its log, and the protocol's trace.
//!
//! Owns which server is shown, the filter, and the reading of what is new. Must not know how anything
//! is drawn, nor who writes it. Nothing is read while no such pane is open.

mod excerpt;
mod log;
mod messages;
#[cfg(test)]
mod tests;

pub use excerpt::excerpt;
pub use log::{Line, LogView};
pub use messages::{MessagesView, Opened};

use super::field::Field;
use super::message::Id;
use crate::mcp::{LogEntry, Page, TraceEntry};

/// Which part of a journal is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The server's log.
    Log,
    /// The messages of the protocol.
    Messages,
}

/// What is new in a part of a journal, after the filter.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// Lines of the log.
    Log {
        /// The lines.
        page: Page<LogEntry>,
        /// How many lines of stdout were no messages, in all.
        noise: u64,
    },
    /// Messages.
    Messages(Page<TraceEntry>),
}

impl News {
    /// The number of the entry that will be written next.
    #[must_use]
    pub fn next(&self) -> u64 {
        match self {
            Self::Log { page, .. } => page.next,
            Self::Messages(page) => page.next,
        }
    }
}

/// A pane that shows a part of a server's journal.
#[derive(Debug, Clone)]
pub struct JournalPane {
    /// Whose.
    pub server: String,
    /// The effect that waits for news; none as long as nothing was asked for.
    pub following: Option<Id>,
    /// What an entry must contain to be shown.
    pub filter: Field,
    /// The filter as it was when entries were asked for.
    pub asked: String,
    /// Whether the filter is typed in.
    pub filtering: bool,
    /// What is shown.
    pub view: View,
}

/// What a pane shows.
#[derive(Debug, Clone)]
pub enum View {
    /// The server's log.
    Log(LogView),
    /// The messages of the protocol.
    Messages(MessagesView),
}

impl JournalPane {
    /// A pane that knows nothing yet.
    #[must_use]
    pub fn new(server: String, part: Part) -> Self {
        Self {
            server,
            following: None,
            filter: Field::line(""),
            asked: String::new(),
            filtering: false,
            view: match part {
                Part::Log => View::Log(LogView::default()),
                Part::Messages => View::Messages(MessagesView::default()),
            },
        }
    }

    /// Which part it shows.
    #[must_use]
    pub fn part(&self) -> Part {
        match self.view {
            View::Log(_) => Part::Log,
            View::Messages(_) => Part::Messages,
        }
    }

    /// Everything is asked for anew, with the filter as it is now.
    pub fn restart(&mut self) {
        self.asked = self.filter.text();
        match &mut self.view {
            View::Log(view) => view.restart(),
            View::Messages(view) => view.restart(),
        }
    }

    /// Leaves no entry out any more.
    pub fn clear_filter(&mut self) {
        self.filter = Field::line("");
        self.filtering = false;
    }

    /// Takes what is new.
    pub fn take(&mut self, news: News) {
        match (&mut self.view, news) {
            (View::Log(view), News::Log { page, noise }) => view.take(page, noise),
            (View::Messages(view), News::Messages(page)) => view.take(page),
            _ => {}
        }
    }

    /// Sees to it that what is shown fits into that many columns and rows.
    pub fn settle(&mut self, width: usize, height: usize) {
        match &mut self.view {
            View::Log(view) => view.settle(width, height),
            View::Messages(view) => view.settle(width, height),
        }
    }

    /// Scrolls by rows; far enough down, it follows the newest again.
    pub fn scroll(&mut self, by: isize) {
        match &mut self.view {
            View::Log(view) => view.scroll(by),
            View::Messages(view) => view.scroll(by),
        }
    }

    /// Scrolls by a page less a row.
    pub fn page(&mut self, down: bool) {
        let height = match &self.view {
            View::Log(view) => view.height(),
            View::Messages(view) => view.height(),
        };
        let by = isize::try_from(height.saturating_sub(1).max(1)).unwrap_or(isize::MAX);
        self.scroll(if down { by } else { -by });
    }

    /// Holds the view where it is, or follows the newest again.
    pub fn toggle_hold(&mut self) {
        match &mut self.view {
            View::Log(view) => view.toggle_hold(),
            View::Messages(view) => view.toggle_hold(),
        }
    }

    /// Wraps long lines, or cuts them at the edge.
    pub fn toggle_wrap(&mut self) {
        match &mut self.view {
            View::Log(view) => view.toggle_wrap(),
            View::Messages(view) => view.toggle_wrap(),
        }
    }

    /// Whether the newest is followed.
    #[must_use]
    pub fn follows(&self) -> bool {
        match &self.view {
            View::Log(view) => view.follows(),
            View::Messages(view) => view.follows(),
        }
    }

    /// The message that is open, if one is.
    #[must_use]
    pub fn opened(&self) -> Option<&Opened> {
        match &self.view {
            View::Log(_) => None,
            View::Messages(view) => view.opened(),
        }
    }
}
