//! A server's log as it is read: lines, wrapped, the newest followed or the view held.
//!
//! Owns the rows. Must not know where they are drawn.

use std::collections::VecDeque;
use std::sync::Arc;

use super::super::rows::{AT_ONCE, Rows};
use crate::mcp::{LogEntry, Page};

/// Work that is done at once for all lines, in rows: ten milliseconds or two.
const WORK: usize = 8 * AT_ONCE;

/// A line of the log, and its rows on the screen.
#[derive(Debug, Clone)]
pub struct Line {
    /// The line.
    pub entry: Arc<LogEntry>,
    /// Its rows.
    pub rows: Rows,
    /// Whether they are cut at the edge, and not wrapped.
    pub cut: bool,
}

/// The lines that are known, and where the view is.
#[derive(Debug, Clone)]
pub struct LogView {
    lines: VecDeque<Line>,
    /// Rows of all lines.
    rows: usize,
    /// The first visible row, where the view is held.
    held: Option<usize>,
    /// Lines that came since then.
    newer: usize,
    wrap: bool,
    width: usize,
    height: usize,
    /// Whether everything that comes next stands in place of what there is.
    anew: bool,
    /// How many lines were dropped, since only the newest are kept.
    pub dropped: u64,
    /// How many lines of stdout were no messages.
    pub noise: u64,
}

impl Default for LogView {
    fn default() -> Self {
        Self {
            lines: VecDeque::new(),
            rows: 0,
            held: None,
            newer: 0,
            wrap: true,
            width: 0,
            height: 0,
            anew: false,
            dropped: 0,
            noise: 0,
        }
    }
}

impl LogView {
    pub(super) fn restart(&mut self) {
        self.anew = true;
    }

    pub(super) fn take(&mut self, page: Page<LogEntry>, noise: u64) {
        if std::mem::take(&mut self.anew) {
            self.lines.clear();
            self.rows = 0;
            self.held = None;
        }
        self.noise = noise;
        self.dropped = page.oldest;
        while let Some(line) = self.lines.front()
            && line.entry.number < page.oldest
        {
            let gone = line.rows.len();
            self.rows -= gone;
            self.held = self.held.map(|top| top.saturating_sub(gone));
            self.lines.pop_front();
        }
        if self.held.is_some() {
            self.newer += page.entries.len();
        }
        let lines = self.laid_out(page.entries);
        self.rows += lines.iter().map(|line| line.rows.len()).sum::<usize>();
        self.lines.extend(lines);
    }

    /// The newest come first where there is much to wrap; what is too much is cut at the edge.
    fn laid_out(&self, entries: Vec<Arc<LogEntry>>) -> VecDeque<Line> {
        let width = self.wrap.then_some(self.width);
        let mut left = WORK;
        let mut lines = VecDeque::with_capacity(entries.len());
        for entry in entries.into_iter().rev() {
            let mut rows = Rows::spending(&mut left, &entry.text, width);
            let too_long = rows.is_cut();
            if too_long {
                rows = Rows::of(&entry.text, None, AT_ONCE);
            }
            let cut = too_long || !self.wrap;
            lines.push_front(Line { entry, rows, cut });
        }
        lines
    }

    pub(super) fn settle(&mut self, width: usize, height: usize) {
        self.height = height;
        if self.width != width {
            self.width = width;
            self.lay_out();
        }
    }

    /// The line that was at the top stays there.
    fn lay_out(&mut self) {
        let top = self.visible().next().map(|(line, _)| line.entry.number);
        let lines = std::mem::take(&mut self.lines).into_iter();
        self.lines = self.laid_out(lines.map(|line| line.entry).collect());
        self.rows = self.lines.iter().map(|line| line.rows.len()).sum();
        if let (Some(number), Some(held)) = (top, &mut self.held) {
            let above = self.lines.iter();
            let above = above.take_while(|line| line.entry.number < number);
            *held = above.map(|line| line.rows.len()).sum();
        }
    }

    fn last_top(&self) -> usize {
        self.rows.saturating_sub(self.height.max(1))
    }

    /// The first visible row.
    #[must_use]
    pub fn top(&self) -> usize {
        let last = self.last_top();
        self.held.map_or(last, |top| top.min(last))
    }

    /// Rows of all lines.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is nothing to show.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub(super) fn height(&self) -> usize {
        self.height
    }

    /// The visible rows: of which line, and the place of the row among the line's.
    pub fn visible(&self) -> impl Iterator<Item = (&Line, usize)> {
        let mut skip = self.top();
        let mut first = 0;
        for line in &self.lines {
            if line.rows.len() > skip {
                break;
            }
            skip -= line.rows.len();
            first += 1;
        }
        self.lines
            .iter()
            .skip(first)
            .flat_map(|line| (0..line.rows.len()).map(move |row| (line, row)))
            .skip(skip)
            .take(self.height)
    }

    pub(super) fn scroll(&mut self, by: isize) {
        let top = self.top().saturating_add_signed(by);
        if top >= self.last_top() && by > 0 {
            self.follow();
        } else {
            self.hold(top.min(self.last_top()));
        }
    }

    pub(super) fn toggle_hold(&mut self) {
        match self.held {
            Some(_) => self.follow(),
            None => self.hold(self.last_top()),
        }
    }

    fn hold(&mut self, top: usize) {
        if self.held.is_none() {
            self.newer = 0;
        }
        self.held = Some(top);
    }

    fn follow(&mut self) {
        self.held = None;
        self.newer = 0;
    }

    pub(super) fn toggle_wrap(&mut self) {
        self.wrap = !self.wrap;
        self.lay_out();
    }

    /// Whether the newest line is followed.
    #[must_use]
    pub fn follows(&self) -> bool {
        self.held.is_none()
    }

    /// How many lines came since the view was held.
    #[must_use]
    pub fn newer(&self) -> usize {
        self.newer
    }
}
