//! What if: another condition, asked of a wait on the Watch.
//!
//! Owns what is written of it, and what was found out about the samples. Must not know how either is
//! drawn or worked out: the judging is done beside the loop.

use std::sync::Arc;

use super::assess::{Assessment, DraftText, Meaning, Observed};
use super::draft::{Draft, Input, Kind};
use super::focus::Focus;
use super::form::Form;
use super::keys::Context;
use super::look::Tone;
use super::message::Id;
use super::model::Then;
use super::watch::{Mark, Wait};
use super::why::Fixes;
use crate::wait::{Call, Ending, EntryKind, Event, Judged, Reason, Stop, Verdict};

/// Another condition.
#[derive(Debug, Clone)]
pub struct WhatIf {
    /// The wait that is asked about.
    pub wait: Id,
    /// The call with that condition.
    pub draft: Draft,
    /// What has the focus.
    pub focus: Focus,
    /// What is wrong with the condition, and what it would mean for the sample in view.
    pub assessment: Assessment,
    /// What the assessment is about.
    assessed: Option<Subject>,
    /// The assessment that is under way, and what it is about.
    assessing: Option<(Id, Subject)>,
    /// What all samples would mean, where the condition can be used.
    pub answer: Option<Answer>,
    /// The patterns that were last taken from.
    pub fixes: Option<Fixes>,
    /// What is done with the condition as soon as it is assessed as it is written.
    pub intent: Option<Then>,
}

/// What an assessment is about.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Subject {
    draft: DraftText,
    observed: Option<Observed>,
}

/// What the samples would mean under one condition, as far as they were judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Of the effect that judges.
    pub id: Id,
    /// The call with the condition.
    pub call: Call,
    /// What each sample would mean, in their order.
    pub judged: Vec<Judged>,
    /// Where the wait would have stopped.
    pub stop: Option<Stop>,
    /// How it would have ended, once everything that there is was judged.
    pub ending: Option<Ending>,
    /// Samples that could not be judged, since their texts are gone.
    pub without_text: u64,
}

/// What is asked of all samples.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// For what is found out.
    pub id: Id,
    /// Which wait.
    pub wait: Id,
    /// The call with the condition.
    pub call: Call,
    /// What the wait has told so far; texts that are missing may be in its recording.
    pub story: Vec<Event>,
}

/// What was found out since the last time.
#[derive(Debug, Clone, PartialEq)]
pub struct Findings {
    /// What further samples would mean.
    pub judged: Vec<Judged>,
    /// Where the wait would have stopped.
    pub stop: Option<Stop>,
    /// How it would have ended, where everything that there is was judged.
    pub ending: Option<Ending>,
    /// Samples that could not be judged so far, since their texts are gone.
    pub without_text: u64,
}

impl WhatIf {
    /// The condition of `wait`, to be changed.
    #[must_use]
    pub fn new(wait: &Wait) -> Self {
        let draft = Draft::of_call(&wait.call.to_value(), wait.rounds);
        Self {
            wait: wait.id,
            focus: Focus::Text(draft.condition()),
            draft,
            assessment: Assessment::default(),
            assessed: None,
            assessing: None,
            answer: None,
            fixes: None,
            intent: None,
        }
    }

    /// What can have the focus, in the order of `Tab`.
    #[must_use]
    pub fn stops(&self) -> [Focus; 5] {
        [
            Focus::Kind,
            Focus::Text(self.draft.condition()),
            Focus::Text(Input::FailWhen),
            Focus::Text(Input::Ignore),
            Focus::ToolErrors,
        ]
    }

    /// The fields, as they are drawn.
    #[must_use]
    pub fn form(&self) -> Form<'_> {
        Form {
            draft: &self.draft,
            assessment: &self.assessment,
            focus: self.focus,
            typing: matches!(self.focus, Focus::Text(_)),
            more: true,
        }
    }

    /// Where keys are pressed.
    #[must_use]
    pub fn context(&self) -> Context {
        match self.focus {
            Focus::Text(_) => Context::WhatIf,
            _ => Context::WhatIfOption,
        }
    }

    /// To the next field, or to the one before.
    pub fn move_focus(&mut self, forward: bool) {
        let stops = self.stops();
        let here = stops.iter().position(|stop| *stop == self.focus);
        let by = if forward { 1 } else { stops.len() - 1 };
        self.focus = stops[(here.unwrap_or(0) + by) % stops.len()];
    }

    /// What is to be assessed now, under the number `id`: what is written and the sample in view, if
    /// either is another than before. One at a time.
    pub fn ask(&mut self, wait: &Wait, id: Id) -> Option<(DraftText, Option<Observed>)> {
        let observed = wait.entry().and_then(|entry| match &entry.kind {
            EntryKind::Observed {
                text: Some(text),
                tool_error,
                ..
            } => Some(Observed {
                text: Arc::clone(text),
                tool_error: *tool_error,
            }),
            _ => None,
        });
        let draft = self.draft.text(&wait.server, wait.call.tool());
        let known = self.assessed.as_ref().is_some_and(|known| {
            known.draft == draft && is_same(known.observed.as_ref(), observed.as_ref())
        });
        if known || self.assessing.is_some() {
            return None;
        }
        let subject = Subject { draft, observed };
        self.assessing = Some((id, subject.clone()));
        Some((subject.draft, subject.observed))
    }

    /// Takes an assessment; one that nobody waits for is dropped. Answers whether it was waited for.
    pub fn take(&mut self, id: Id, assessment: Assessment) -> bool {
        let taken = self.assessing.take_if(|(own, _)| *own == id);
        let Some((_, subject)) = taken else {
            return false;
        };
        self.assessed = Some(subject);
        self.assessment = assessment;
        true
    }

    /// Whether what is written is what was assessed.
    #[must_use]
    pub fn is_assessed(&self, wait: &Wait) -> bool {
        let draft = self.draft.text(&wait.server, wait.call.tool());
        let assessed = self.assessed.as_ref();
        self.assessing.is_none() && assessed.is_some_and(|known| known.draft == draft)
    }

    /// Whether the samples are to be judged anew: the condition is another than the one that they
    /// were judged by.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        self.assessed.is_some() && self.answer.as_ref().map(|answer| &answer.call) != self.call()
    }

    /// The judging that is under way, or was: it goes on as long as samples come.
    #[must_use]
    pub fn judging(&self) -> Option<Id> {
        self.answer.as_ref().map(|answer| answer.id)
    }

    /// The call with the condition, where that can be used.
    #[must_use]
    pub fn call(&self) -> Option<&Call> {
        self.assessment.call.as_ref()
    }

    /// Whether what is known of the sample in view is about this text.
    #[must_use]
    pub fn is_about(&self, text: &Arc<str>) -> bool {
        let observed = self
            .assessed
            .as_ref()
            .and_then(|known| known.observed.as_ref());
        observed.is_some_and(|observed| Arc::ptr_eq(&observed.text, text))
    }

    /// What the sample in view would mean, where it has an observation. One sample can't be quiet: that
    /// takes those before it.
    #[must_use]
    pub fn meaning(&self, wait: &Wait) -> Option<Meaning> {
        let meaning = self.assessment.meaning.as_ref()?;
        let answer = self
            .answer
            .as_ref()
            .filter(|_| self.draft.kind == Kind::QuietFor);
        let judged = answer.and_then(|answer| answer.judged.get(wait.index()?));
        let (tone, text) = match judged.map(|judged| (&judged.verdict, judged.changed)) {
            Some((Verdict::Stop(Reason::Settled), _)) => (Tone::Ok, "would stop now: settled"),
            Some((Verdict::GoOn, true)) => (Tone::Plain, "would go on: changed"),
            Some((Verdict::GoOn, false)) => (Tone::Plain, "would go on: not quiet for long enough"),
            _ => return Some(meaning.clone()),
        };
        let text = text.to_owned();
        Some(Meaning { tone, text })
    }

    /// What the cell of the sample at `index` says.
    #[must_use]
    pub fn mark(&self, wait: &Wait, index: usize) -> Mark {
        let judged = self
            .answer
            .as_ref()
            .and_then(|answer| answer.judged.get(index));
        if judged.is_some_and(|judged| judged.lost) {
            return Mark::Lost;
        }
        match judged.map(|judged| &judged.verdict) {
            Some(Verdict::Stop(Reason::Failed)) => return Mark::FailedWhen,
            Some(Verdict::Stop(_)) => return Mark::Matched,
            Some(Verdict::GoOn | Verdict::GiveUp(_)) | None => {}
        }
        match wait.history.entries().get(index).map(|entry| &entry.kind) {
            Some(EntryKind::Failed { .. }) => Mark::Failed,
            Some(EntryKind::Observed {
                tool_error: true, ..
            }) => Mark::ToolError,
            Some(_) if judged.is_some_and(|judged| judged.changed) => Mark::Changed,
            _ => Mark::Same,
        }
    }

    /// The index of the sample that would have decided the wait.
    #[must_use]
    pub fn decided_at(&self, wait: &Wait) -> Option<usize> {
        let sample = self.answer.as_ref()?.stop.as_ref()?.sample?;
        let entries = wait.history.entries();
        entries
            .binary_search_by_key(&sample, |entry| entry.sample)
            .ok()
    }
}

impl Answer {
    /// Nothing judged so far.
    #[must_use]
    pub fn new(id: Id, call: Call) -> Self {
        Self {
            id,
            call,
            judged: Vec::new(),
            stop: None,
            ending: None,
            without_text: 0,
        }
    }

    /// Whether a sample that could not be judged may have decided the wait before the stop.
    #[must_use]
    pub fn is_uncertain(&self) -> bool {
        let before = self.judged.iter().take_while(|judged| {
            let stop = self.stop.as_ref().and_then(|stop| stop.sample);
            stop.is_none_or(|stop| judged.sample < stop)
        });
        before.into_iter().any(|judged| judged.lost)
    }

    /// Takes what was found out.
    pub fn take(&mut self, findings: Findings) {
        self.judged.extend(findings.judged);
        self.stop = findings.stop;
        self.ending = findings.ending;
        self.without_text = findings.without_text;
    }
}

/// Texts are told apart by where they are, which costs nothing.
fn is_same(known: Option<&Observed>, other: Option<&Observed>) -> bool {
    match (known, other) {
        (Some(known), Some(other)) => {
            known.tool_error == other.tool_error && Arc::ptr_eq(&known.text, &other.text)
        }
        (known, other) => known.is_none() && other.is_none(),
    }
}
