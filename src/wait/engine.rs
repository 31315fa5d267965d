//! The loop: sample, judge, sleep, and one last look before the budget ends.
//!
//! Owns time. Must not know what is sampled or who listens. Everything runs on Tokio's clock, so
//! that a test can pause it. The engine never waits for a listener: events go to a closure.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::condition::{Evaluator, Verdict};
use super::error::OBSERVATION_LIMIT;
use super::event::{AfterSleep, Event, Millis, Sample};
use super::{
    Call, Ending, Note, Notes, Output, Probe, Reason, SampleFailure, WaitError, WaitFailure,
};

/// What a timer may be late by; part of the room that the last look leaves itself.
const TIMER_SLACK: Duration = Duration::from_millis(5);
/// How many different texts are remembered to say `same_as`, so that an output that flips between
/// a few states is stored once.
const REMEMBERED_TEXTS: usize = 8;
/// Bytes of an output that any pattern judges in no time.
const QUICK: usize = 4 * 1024;
/// How much a server may say within a second of one sample; what is beyond that is dropped, since a
/// flood would fill memory where a listener is slow, and the disk where the wait is recorded.
const NOTES_PER_SECOND: u32 = 100;

/// What goes on through all rounds of one wait: its judge, its clock, its sample numbers, its texts.
#[derive(Debug)]
pub struct Chain {
    evaluator: Evaluator,
    start: Option<Instant>,
    rounds: u32,
    attempts: u64,
    remembered: VecDeque<(u64, Arc<str>)>,
    /// How many texts are remembered.
    most_texts: usize,
}

impl Chain {
    /// A chain of rounds of `call`, without one so far. Its clock starts with the first sample.
    #[must_use]
    pub fn new(call: Call) -> Self {
        Self {
            evaluator: Evaluator::new(call),
            start: None,
            rounds: 0,
            attempts: 0,
            remembered: VecDeque::new(),
            most_texts: REMEMBERED_TEXTS,
        }
    }

    /// Remembers the newest text alone, where nobody reads its story again.
    pub fn remember_one_text(&mut self) {
        self.most_texts = 1;
    }

    /// Time since the first sample started, to the microsecond.
    #[must_use]
    pub fn elapsed(&self) -> Millis {
        Millis::floor(self.start.map(|start| start.elapsed()).unwrap_or_default())
    }

    /// The failure that ends it between two rounds, or before the first, with what was seen.
    #[must_use]
    pub fn failure(&self, error: WaitError) -> WaitFailure {
        self.evaluator.failure(error, self.elapsed().0)
    }

    /// Tells an event, and says what it means. It is judged first.
    fn tell(&mut self, event: Event, tell: &mut impl FnMut(Event)) -> Verdict {
        let verdict = match &event {
            Event::Sample(sample) if sample.bytes > QUICK => beside(|| self.evaluator.hear(&event)),
            _ => self.evaluator.hear(&event),
        };
        tell(event);
        verdict
    }

    /// The text, shared with an earlier sample's where it is the same, and that sample's number.
    fn remember(&mut self, sample: u64, text: String) -> (Arc<str>, Option<u64>) {
        if let Some(position) = self
            .remembered
            .iter()
            .position(|(_, known)| **known == *text)
            && let Some((first, known)) = self.remembered.remove(position)
        {
            self.remembered.push_back((first, Arc::clone(&known)));
            return (known, Some(first));
        }
        let text: Arc<str> = Arc::from(text);
        if self.remembered.len() == self.most_texts {
            self.remembered.pop_front();
        }
        self.remembered.push_back((sample, Arc::clone(&text)));
        (text, None)
    }

    /// The sample that brought `output`. An output over the limit is told without its text: nothing
    /// downstream has to hold it.
    fn sample(&mut self, at_ms: Millis, latency_ms: Millis, output: Output) -> Event {
        let (sample, bytes) = (self.attempts, output.text.len());
        let (text, same_as) = if bytes > OBSERVATION_LIMIT {
            (None, None)
        } else {
            let (text, same_as) = self.remember(sample, output.text);
            (Some(text), same_as)
        };
        Event::Sample(Sample {
            sample,
            at_ms,
            latency_ms,
            bytes,
            tool_error: output.tool_error,
            same_as,
            text_left_out: false,
            text,
        })
    }

    fn cancelled(&self) -> WaitError {
        WaitError::Cancelled {
            samples: self.evaluator.samples(),
        }
    }
}

/// Does work that may take its time, so that other waits on the same threads go on meanwhile.
fn beside<T>(work: impl FnOnce() -> T) -> T {
    let flavor = Handle::try_current().map(|runtime| runtime.runtime_flavor());
    match flavor {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(work),
        _ => work(),
    }
}

/// How one attempt ended.
enum Attempt {
    Completed(Output),
    Failed(SampleFailure),
    BudgetEnded,
    Stopped,
}

/// Runs one budget of the chain's call on `probe`, and tells its story to `tell`. `stop` ends it at
/// any moment, and cancels the request in flight.
///
/// # Errors
/// The errors of the contract that a wait can meet once it runs, with what was seen before, in
/// earlier rounds as well.
pub async fn run<P: Probe>(
    probe: &mut P,
    chain: &mut Chain,
    tell: &mut (impl FnMut(Event) + Send),
    stop: &CancellationToken,
) -> Ending {
    let began = Instant::now();
    chain.start.get_or_insert(began);
    chain.rounds += 1;
    let call = chain.evaluator.call();
    let round = Round {
        poll: call.poll(),
        probe_timeout: call.probe_timeout(),
        deadline: began + call.bound(),
    };
    let started = Event::RoundStarted {
        round: chain.rounds,
        at_ms: chain.elapsed(),
        effective_max_wait_sec: call.effective_max_wait_sec(),
    };
    chain.tell(started, tell);
    let verdict = round.sample_until_over(probe, chain, tell, stop).await;
    chain.evaluator.ending(verdict, chain.elapsed().0)
}

struct Round {
    poll: Duration,
    probe_timeout: Option<Duration>,
    deadline: Instant,
}

impl Round {
    async fn sample_until_over<P: Probe>(
        &self,
        probe: &mut P,
        chain: &mut Chain,
        tell: &mut (impl FnMut(Event) + Send),
        stop: &CancellationToken,
    ) -> Result<Reason, WaitError> {
        let mut last_look = LastLook::default();
        loop {
            chain.attempts += 1;
            let at_ms = chain.elapsed();
            let sample = chain.attempts;
            chain.tell(Event::SampleStarted { sample, at_ms }, tell);
            let attempt = self.attempt(probe, chain, tell, stop).await;
            let latency_ms = Millis(chain.elapsed().0.saturating_sub(at_ms.0));
            let event = match attempt {
                Attempt::Stopped => return Err(chain.cancelled()),
                Attempt::BudgetEnded => return chain.evaluator.budget_ended(),
                Attempt::Completed(output) => chain.sample(at_ms, latency_ms, output),
                Attempt::Failed(SampleFailure { cause, hopeless }) => Event::SampleFailed {
                    sample,
                    at_ms,
                    latency_ms,
                    cause,
                    hopeless,
                },
            };
            match chain.tell(event, tell) {
                Verdict::Stop(reason) => return Ok(reason),
                Verdict::GiveUp(error) => return Err(error),
                Verdict::GoOn => {}
            }
            last_look.took(latency_ms.0);
            let now = Instant::now();
            let remaining = self.deadline.saturating_duration_since(now);
            if remaining.is_zero() {
                return chain.evaluator.budget_ended();
            }
            let (nap, then) = last_look.sleep(self.poll, remaining);
            let sleeping = Event::Sleeping {
                at_ms: chain.elapsed(),
                for_ms: Millis::floor(nap),
                then,
            };
            chain.tell(sleeping, tell);
            tokio::select! {
                biased;
                () = stop.cancelled() => return Err(chain.cancelled()),
                () = sleep_until(now + nap) => {}
            }
            if then == AfterSleep::BudgetEnds {
                return chain.evaluator.budget_ended();
            }
        }
    }

    /// One sample against what is left of the budget. Leaving drops its future, and that cancels
    /// the request.
    async fn attempt<P: Probe>(
        &self,
        probe: &mut P,
        chain: &Chain,
        tell: &mut (impl FnMut(Event) + Send),
        stop: &CancellationToken,
    ) -> Attempt {
        let sample = chain.attempts;
        let (notes, mut heard) = Notes::channel();
        let own_limit = self
            .probe_timeout
            .and_then(|limit| Instant::now().checked_add(limit));
        let limit = own_limit.map_or(self.deadline, |limit| limit.min(self.deadline));
        let mut quota = NoteQuota::new();
        let attempt = {
            // On the heap, since the wait would carry the room for it while it sleeps.
            let mut future = Box::pin(probe.sample(sample, notes));
            loop {
                // The order matters: a stop is obeyed at once, and a sample that completes at the
                // very end of the budget counts.
                tokio::select! {
                    biased;
                    () = stop.cancelled() => break Attempt::Stopped,
                    taken = &mut future => break match taken {
                        Ok(output) => Attempt::Completed(output),
                        Err(failure) => Attempt::Failed(failure),
                    },
                    () = sleep_until(limit) => break self.limit_reached(limit),
                    Some(note) = heard.recv() => quota.tell(note, chain, tell),
                }
            }
        };
        // What was said before the sample ended, and not heard yet.
        while let Ok(note) = heard.try_recv() {
            quota.tell(note, chain, tell);
        }
        attempt
    }

    /// Where the sample's own timeout and the budget end together, the budget wins.
    fn limit_reached(&self, limit: Instant) -> Attempt {
        if limit >= self.deadline {
            return Attempt::BudgetEnded;
        }
        let seconds = self.probe_timeout.unwrap_or_default().as_secs();
        Attempt::Failed(SampleFailure {
            cause: format!("no answer within {seconds} s (probe_timeout_sec)"),
            hopeless: false,
        })
    }
}

/// How many notes of the server's may still be told within this second of a sample.
struct NoteQuota {
    second: Instant,
    left: u32,
}

impl NoteQuota {
    fn new() -> Self {
        Self {
            second: Instant::now(),
            left: NOTES_PER_SECOND,
        }
    }

    fn tell(&mut self, note: Note, chain: &Chain, tell: &mut (impl FnMut(Event) + Send)) {
        if matches!(note, Note::Progress { .. } | Note::Log { .. }) {
            if self.second.elapsed() >= Duration::from_secs(1) {
                *self = Self::new();
            }
            let Some(left) = self.left.checked_sub(1) else {
                return;
            };
            self.left = left;
        }
        tell(Event::Note {
            sample: chain.attempts,
            at_ms: chain.elapsed(),
            note,
        });
    }
}

/// Plans the sleeps, so that the last sample has time to finish inside the budget.
#[derive(Debug, Default)]
struct LastLook {
    longest: Duration,
    taken: bool,
}

impl LastLook {
    fn took(&mut self, latency: Duration) {
        self.longest = self.longest.max(latency);
    }

    /// Room for one sample: five quarters of the longest so far, down to a millisecond, and the
    /// timer's slack; nothing where no sample has taken any time.
    fn need(&self) -> Duration {
        if self.longest.is_zero() {
            return Duration::ZERO;
        }
        let millis = (self.longest * 5 / 4).as_millis();
        Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX)) + TIMER_SLACK
    }

    fn sleep(&mut self, poll: Duration, remaining: Duration) -> (Duration, AfterSleep) {
        let room = remaining.checked_sub(self.need());
        match room {
            Some(room) if poll <= room => (poll, AfterSleep::Sample),
            Some(room) if !self.taken => {
                self.taken = true;
                (room, AfterSleep::LastLook)
            }
            _ => (remaining, AfterSleep::BudgetEnds),
        }
    }
}
