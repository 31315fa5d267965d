//! Reading what is new in a journal.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;

use super::super::journal::{News, Part};
use crate::mcp::{Journal, LogEntry, LogKind, Page, TraceEntry};

/// Time from something new to reading it: what comes meanwhile is read with it.
const TOGETHER: Duration = Duration::from_millis(50);

/// What a part of a journal has from number `from` on; without a number, everything at once.
pub(super) async fn follow_journal(
    journal: &Journal,
    part: Part,
    from: Option<u64>,
    filter: String,
) -> News {
    let mut written = journal.written();
    let filter: Arc<str> = filter.to_lowercase().into();
    loop {
        written.borrow_and_update();
        let (source, wanted) = (journal.clone(), Arc::clone(&filter));
        // A long journal takes its time to be searched.
        let read = spawn_blocking(move || news(&source, part, from.unwrap_or(0), &wanted)).await;
        if let Ok(news) = read
            && from.is_none_or(|from| news.next() > from)
        {
            return news;
        }
        if written.changed().await.is_err() {
            return std::future::pending().await;
        }
        tokio::time::sleep(TOGETHER).await;
    }
}

fn news(journal: &Journal, part: Part, from: u64, filter: &str) -> News {
    match part {
        Part::Log => News::Log {
            page: only(journal.log(from), |line| is_in_line(line, filter)),
            noise: journal.noise(),
        },
        Part::Messages => {
            let has = |message: &TraceEntry| is_in_message(message, filter);
            News::Messages(only(journal.trace(from), has))
        }
    }
}

fn only<E>(mut page: Page<E>, wanted: impl Fn(&E) -> bool) -> Page<E> {
    page.entries.retain(|entry| wanted(entry));
    page
}

fn is_in_line(line: &LogEntry, filter: &str) -> bool {
    let has = |text: &str| text.to_lowercase().contains(filter);
    let named = match &line.kind {
        LogKind::Message { level, logger } => {
            has(level) || logger.as_ref().is_some_and(|logger| has(logger))
        }
        LogKind::Stderr => has("stderr"),
        LogKind::Noise => has("stdout"),
        LogKind::Event | LogKind::Trouble => false,
    };
    filter.is_empty() || named || has(&line.text)
}

fn is_in_message(message: &TraceEntry, filter: &str) -> bool {
    let has = |text: &str| text.to_lowercase().contains(filter);
    filter.is_empty() || message.method.as_deref().is_some_and(has) || has(&message.text)
}
