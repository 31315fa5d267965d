//! One live line around something that takes a while, without a wait.

use std::future::Future;
use std::pin::pin;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;

use super::live::{TICK, said};
use super::stderr::Stderr;
use crate::text::clock;
use crate::wait::Note;

/// What is over sooner than this needs no line.
const PATIENCE: Duration = Duration::from_millis(300);

/// What `future` brings. Meanwhile a terminal shows `words`, how long it has taken, and the newest
/// of `notes`.
pub async fn with_a_line<T>(
    words: &str,
    mut notes: Option<mpsc::Receiver<Note>>,
    future: impl Future<Output = T>,
) -> T {
    let mut future = pin!(future);
    let mut stderr = Stderr::of_process(false);
    let began = Instant::now();
    let mut tick = tokio::time::interval(TICK);
    let mut note = String::new();
    loop {
        tokio::select! {
            biased;
            output = &mut future => return output,
            Some(newest) = next(&mut notes) => note = format!("  · {}", said(&newest)),
            _ = tick.tick() => {
                let elapsed = began.elapsed();
                if elapsed >= PATIENCE {
                    stderr.draw(&format!("{words}, {}{note}", clock(elapsed)));
                }
            }
        }
    }
}

async fn next(notes: &mut Option<mpsc::Receiver<Note>>) -> Option<Note> {
    match notes {
        Some(notes) => notes.recv().await,
        None => None,
    }
}
