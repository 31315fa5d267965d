//! What if, beside the loop: all samples of a wait judged by another condition, and those that come.
//!
//! One judging goes on at a time. It ends with whoever holds it, within a sample.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedSender;
use tokio::task::spawn_blocking;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::super::message::{Id, Msg};
use super::super::what_if::{Findings, Question};
use crate::store::RecordedTexts;
use crate::wait::{Event, Judged, WhatIf};

/// How often it is told what was found out.
const TELL: Duration = Duration::from_millis(30);

/// A judging that is under way. Dropped, it ends.
pub(super) struct Judging {
    id: Id,
    more: Sender<Event>,
    _stop: DropGuard,
}

impl Judging {
    /// Judges what is asked about, and whatever is added. Texts that are missing are read from `texts`.
    pub(super) fn begin(
        question: Question,
        texts: Option<RecordedTexts>,
        tell: UnboundedSender<Msg>,
    ) -> Self {
        let Question {
            id, call, story, ..
        } = question;
        let (more, rest) = channel();
        let stop = CancellationToken::new();
        let stopped = stop.clone();
        spawn_blocking(move || {
            let mut judge = Judge {
                id,
                what_if: WhatIf::new(call),
                texts,
                newest: None,
                tell,
            };
            judge.judge(story, &rest, &stopped);
        });
        Self {
            id,
            more,
            _stop: stop.drop_guard(),
        }
    }

    /// Whether it is the judging of that effect.
    pub(super) fn is(&self, id: Id) -> bool {
        self.id == id
    }

    /// Judges an event that has come since.
    pub(super) fn add(&self, event: Event) {
        let _ = self.more.send(event);
    }
}

struct Judge {
    id: Id,
    what_if: WhatIf,
    texts: Option<RecordedTexts>,
    /// The text that was read last, and which sample brought it first.
    newest: Option<(u64, Arc<str>)>,
    tell: UnboundedSender<Msg>,
}

impl Judge {
    fn judge(&mut self, story: Vec<Event>, rest: &Receiver<Event>, stopped: &CancellationToken) {
        let mut told = Instant::now();
        let mut judged = Vec::new();
        let mut events = story.into_iter();
        loop {
            let next = events.next().or_else(|| rest.try_recv().ok());
            let Some(event) = next else {
                // All of what there is.
                if !self.tell(&mut judged, true) {
                    return;
                }
                let Ok(event) = rest.recv() else { return };
                judged.extend(self.hear(event));
                continue;
            };
            if stopped.is_cancelled() {
                return;
            }
            judged.extend(self.hear(event));
            if told.elapsed() >= TELL {
                told = Instant::now();
                if !self.tell(&mut judged, false) {
                    return;
                }
            }
        }
    }

    fn hear(&mut self, mut event: Event) -> Option<Judged> {
        if let Event::Sample(sample) = &mut event {
            let first = sample.same_as.unwrap_or(sample.sample);
            if sample.text.is_none() {
                sample.text = self.read(sample.sample, first);
            }
            if let Some(text) = &sample.text {
                self.newest = Some((first, Arc::clone(text)));
            }
        }
        self.what_if.hear(&event)
    }

    /// The text of a sample, which is that of sample `first`. Where the recording has gaps, it may
    /// have the one and not the other.
    fn read(&self, sample: u64, first: u64) -> Option<Arc<str>> {
        match &self.newest {
            Some((known, text)) if *known == first => Some(Arc::clone(text)),
            _ => {
                let texts = self.texts.as_ref()?;
                texts.text(sample).or_else(|| texts.text(first))
            }
        }
    }

    /// Answers whether anybody listens.
    fn tell(&self, judged: &mut Vec<Judged>, all: bool) -> bool {
        let findings = Findings {
            judged: std::mem::take(judged),
            stop: self.what_if.stopped().cloned(),
            ending: all.then(|| self.what_if.ending()),
            without_text: self.what_if.without_text(),
        };
        let id = self.id;
        self.tell.send(Msg::Judged { id, findings }).is_ok()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use std::fmt::Write;

    use serde_json::json;
    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

    use super::*;
    use crate::store::RecordingReader;
    use crate::wait::{Call, History, Reason};

    /// A wait of which the texts are on disk alone.
    fn recorded(texts: &[&str]) -> (Call, Vec<Event>, RecordedTexts) {
        let call = json!({
            "probe": { "tool": "t", "args": {} }, "until": { "matches": "never" }, "poll_sec": 1,
        });
        let header = json!({
            "event": "wait_started", "version": 1, "started_at": "2026-11-30T20:15:01Z",
            "server": "s", "rounds": 1, "wait": call,
        });
        let round = json!({
            "event": "round_started", "round": 1, "at_ms": 0, "effective_max_wait_sec": 120,
        });
        let mut lines = format!("{header}\n{round}\n");
        for (text, index) in texts.iter().zip(0..) {
            let (sample, at_ms) = (index + 1, index * 1000);
            let line = json!({
                "event": "sample", "sample": sample, "at_ms": at_ms, "latency_ms": 1,
                "bytes": text.len(), "tool_error": false, "text": text,
            });
            writeln!(lines, "{line}").unwrap();
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.wait.jsonl");
        std::fs::write(&path, lines).unwrap();
        let mut reader = RecordingReader::open(&path).unwrap();
        let mut history = History::new();
        while let Some(mut event) = reader.next_event().unwrap() {
            if let Event::Sample(sample) = &mut event {
                sample.text = None;
            }
            history.record(&event, false);
        }
        let texts = reader.texts().clone();
        (Call::parse(&call).unwrap(), history.story(), texts)
    }

    /// What was found out, once all that there is was judged.
    async fn found(told: &mut UnboundedReceiver<Msg>) -> (usize, Findings) {
        let mut judged = 0;
        loop {
            let Some(Msg::Judged { findings, .. }) = told.recv().await else {
                panic!("nothing is told any more");
            };
            judged += findings.judged.len();
            if findings.ending.is_some() {
                return (judged, findings);
            }
        }
    }

    /// Whether a sample says d.
    fn asks(call: &Call, story: Vec<Event>) -> Question {
        let mut call = call.to_value();
        call["until"] = json!({ "matches": "d" });
        Question {
            id: Id(1),
            wait: Id(2),
            call: Call::parse(&call).unwrap(),
            story,
        }
    }

    #[tokio::test]
    async fn texts_that_are_on_disk_are_read_back_and_what_comes_is_judged_too() {
        let (call, story, texts) = recorded(&["a", "b", "c"]);
        let (tell, mut told) = unbounded_channel();
        let judging = Judging::begin(asks(&call, story), Some(texts), tell);
        let (judged, findings) = found(&mut told).await;
        assert_eq!((judged, findings.stop), (3, None));
        let line = json!({
            "event": "sample", "sample": 4, "at_ms": 3000, "latency_ms": 1, "bytes": 1,
            "tool_error": false, "text": "d",
        });
        judging.add(serde_json::from_value(line).unwrap());
        let (judged, findings) = found(&mut told).await;
        let stop = findings.stop.unwrap();
        assert_eq!((judged, stop.sample), (1, Some(4)));
        assert_eq!(stop.ending.unwrap().reason, Reason::Matched);
        drop(judging);
        assert_eq!(told.recv().await, None, "it ends with whoever holds it");
    }

    #[tokio::test]
    async fn one_that_is_given_up_ends_before_its_last_sample() {
        let (call, story, _) = recorded(&vec!["a"; 100_000]);
        let (tell, mut told) = unbounded_channel();
        drop(Judging::begin(asks(&call, story), None, tell));
        let mut judged = 0;
        while let Some(Msg::Judged { findings, .. }) = told.recv().await {
            judged += findings.judged.len();
        }
        assert!(judged < 100_000, "{judged}");
    }
}
