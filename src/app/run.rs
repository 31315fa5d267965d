//! A wait from its request to its end: connecting, rounds, and the frame of its story.

use tokio_util::sync::CancellationToken;

use super::Servers;
use super::permit::Permit;
use super::probe::ToolProbe;
use super::raw_results::RawResults;
use super::recorder::WaitRecording;
use super::spans::WaitSpans;
use crate::mcp::TraceContext;
use crate::wait::{
    Call, Chain, Ending, Event, FORMAT_VERSION, Header, Outcome, Reason, WaitError, engine,
};

/// What is to be waited for, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct WaitRequest {
    /// The call.
    pub call: Call,
    /// The server's name.
    pub server: String,
    /// The name of the spec, where there is one.
    pub name: Option<String>,
    /// How many budgets may follow one another, from 1.
    pub rounds: u32,
}

/// One wait: its rounds, however often it is continued.
pub struct WaitRun {
    request: WaitRequest,
    wait_id: String,
    chain: Chain,
    begun: bool,
    raw: Option<RawResults>,
    recording: Option<WaitRecording>,
    /// Whether the tool may be probed, where that is to be asked.
    permit: Option<Permit>,
    /// Where the wait belongs in a caller's trace.
    trace: Option<TraceContext>,
    /// The span of the run to come, where somebody has asked for it already.
    spans: Option<WaitSpans>,
}

impl WaitRun {
    /// A wait that has not begun.
    #[must_use]
    pub fn new(request: WaitRequest) -> Self {
        Self {
            chain: Chain::new(request.call.clone()),
            request,
            wait_id: wait_id(),
            begun: false,
            raw: None,
            recording: None,
            permit: None,
            trace: None,
            spans: None,
        }
    }

    /// Probes the tool only as long as `permit` lets it; asked at every connection.
    pub fn only_with(&mut self, permit: Permit) {
        self.permit = Some(permit);
    }

    /// Puts the spans of this wait below a caller's.
    pub fn continue_trace(&mut self, trace: TraceContext) {
        self.trace = Some(trace);
    }

    /// The trace that the wait will belong to, if it will to one.
    pub fn trace_id(&mut self) -> Option<String> {
        let spans = self.spans.take().unwrap_or_else(|| self.begin_spans());
        self.spans.insert(spans).trace_id()
    }

    fn begin_spans(&self) -> WaitSpans {
        WaitSpans::begin(&self.request, self.trace.clone())
    }

    /// Keeps the newest results as they are sent from now on.
    pub fn keep_raw_results(&mut self, results: RawResults) {
        self.raw = Some(results);
    }

    /// Keeps no texts for whoever might read its story again.
    pub fn keep_one_text(&mut self) {
        self.chain.remember_one_text();
    }

    /// Has everything that it tells recorded from now on, however often it is continued.
    pub fn record(&mut self, recording: WaitRecording) {
        self.recording = Some(recording);
    }

    /// Runs as many budgets as were asked for; only a timeout starts the next. Called again, it
    /// continues the same wait. `stop` ends it at any moment.
    ///
    /// # Errors
    /// Every error of the contract but a refusal, with what was seen before it.
    pub async fn run(
        &mut self,
        servers: &Servers,
        tell: &mut (impl FnMut(Event) + Send),
        stop: &CancellationToken,
    ) -> Ending {
        let mut recording = self.recording.take();
        let spans = self.spans.take().unwrap_or_else(|| self.begin_spans());
        let tell = &mut |event: Event| {
            spans.hear(&event);
            if let Some(recording) = &mut recording {
                recording.add(&event);
            }
            tell(event);
        };
        // On the heap, since the wait would carry the room for it to its end.
        let ending = match Box::pin(self.connect(servers, stop)).await {
            Ok(()) => self.rounds(servers, tell, stop, &spans).await,
            Err(error) => Err(self.chain.failure(error)),
        };
        self.begin(tell);
        tell(Event::WaitEnded {
            at_ms: self.chain.elapsed(),
            outcome: Outcome::from(&ending),
        });
        self.recording = recording;
        ending
    }

    async fn connect(&self, servers: &Servers, stop: &CancellationToken) -> Result<(), WaitError> {
        tokio::select! {
            biased;
            () = stop.cancelled() => Err(WaitError::Cancelled { samples: 0 }),
            connected = servers.connection_with_tool(
                &self.request.server,
                self.request.call.tool(),
                self.permit.as_ref(),
            ) => connected.map(drop).map_err(WaitError::from),
        }
    }

    /// Tells the header, once: it stands at the head of a story that ends before its first sample
    /// as well.
    fn begin(&mut self, tell: &mut impl FnMut(Event)) {
        if !self.begun {
            self.begun = true;
            tell(Event::WaitStarted(header(&self.request)));
        }
    }

    async fn rounds(
        &mut self,
        servers: &Servers,
        tell: &mut (impl FnMut(Event) + Send),
        stop: &CancellationToken,
        spans: &WaitSpans,
    ) -> Ending {
        self.begin(tell);
        let request = &self.request;
        let mut probe = ToolProbe {
            servers,
            server: &request.server,
            tool: request.call.tool(),
            args: request.call.args(),
            wait_id: &self.wait_id,
            raw: self.raw.as_ref(),
            permit: self.permit.as_ref(),
            admitted: None,
            refused: None,
            spans,
        };
        let mut left = request.rounds;
        loop {
            left = left.saturating_sub(1);
            let ending = engine::run(&mut probe, &mut self.chain, tell, stop).await;
            match &ending {
                Ok(result) if result.reason == Reason::Timeout && left > 0 => {}
                _ => return ending.map_err(|failure| probe.explain(failure)),
            }
        }
    }
}

fn header(request: &WaitRequest) -> Header {
    Header {
        version: FORMAT_VERSION,
        started_at: now_to_the_millisecond(),
        server: request.server.clone(),
        name: request.name.clone(),
        wait: request.call.to_value(),
        rounds: request.rounds,
    }
}

fn now_to_the_millisecond() -> String {
    let now = jiff::Timestamp::now();
    now.round(jiff::Unit::Millisecond)
        .unwrap_or(now)
        .to_string()
}

/// A name for one wait, different from every other's on this machine.
#[must_use]
pub fn wait_id() -> String {
    format!(
        "{}-{}",
        jiff::Timestamp::now().as_nanosecond(),
        std::process::id()
    )
}
