//! A history told once more, event by event, for whoever asks what if.

use super::{Entry, EntryKind, History};
use crate::wait::{Event, Millis, Outcome, Sample};

/// What is kept of a story beside its samples.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    /// The events that are no samples, and how many samples came before each.
    events: Vec<(usize, Event)>,
    /// The sample that has started and not ended.
    in_flight: Option<Event>,
}

impl Told {
    /// Takes an event that comes after that many samples.
    pub(super) fn take(&mut self, event: &Event, samples: usize) {
        match event {
            Event::SampleStarted { .. } => self.in_flight = Some(event.clone()),
            Event::Sample(_) | Event::SampleFailed { .. } => self.in_flight = None,
            Event::WaitStarted(_) => self.events.push((samples, event.clone())),
            Event::RoundStarted { .. } => {
                self.land(samples);
                self.events.push((samples, event.clone()));
            }
            Event::WaitEnded { at_ms, outcome } => {
                self.land(samples);
                let mut outcome = outcome.clone();
                // The samples have it, and it may be dropped there.
                match &mut outcome {
                    Outcome::Result(result) => result.last_observation = "".into(),
                    Outcome::Error(fields) => _ = fields.shift_remove("last_observation"),
                }
                let at_ms = *at_ms;
                self.events
                    .push((samples, Event::WaitEnded { at_ms, outcome }));
            }
            Event::Note { .. } | Event::Sleeping { .. } => {}
        }
    }

    /// A sample that was in flight when its round ended never lands.
    fn land(&mut self, samples: usize) {
        self.events
            .extend(self.in_flight.take().map(|event| (samples, event)));
    }
}

impl History {
    /// The story so far, without notes and sleeps, which decide nothing. A sample whose text was
    /// dropped comes without it; `same_as` says whose text it is.
    #[must_use]
    pub fn story(&self) -> Vec<Event> {
        let mut story = Vec::with_capacity(self.entries.len() + self.told.events.len());
        let mut told = self.told.events.iter().peekable();
        for (index, entry) in self.entries.iter().enumerate() {
            while let Some((_, event)) = told.next_if(|(before, _)| *before <= index) {
                story.push(event.clone());
            }
            story.push(event_of(entry));
        }
        story.extend(told.map(|(_, event)| event.clone()));
        story.extend(self.told.in_flight.clone());
        story
    }
}

fn event_of(entry: &Entry) -> Event {
    let (at_ms, latency_ms) = (Millis(entry.at), Millis(entry.latency));
    match &entry.kind {
        EntryKind::Observed {
            text,
            first,
            bytes,
            tool_error,
            ..
        } => Event::Sample(Sample {
            sample: entry.sample,
            at_ms,
            latency_ms,
            bytes: *bytes,
            tool_error: *tool_error,
            same_as: (*first != entry.sample).then_some(*first),
            text_left_out: false,
            text: text.clone(),
        }),
        EntryKind::Failed { cause, hopeless } => Event::SampleFailed {
            sample: entry.sample,
            at_ms,
            latency_ms,
            cause: cause.clone(),
            hopeless: *hopeless,
        },
    }
}
