//! What stderr says while a wait runs: one live line on a terminal, a line for each change elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use crossterm::style::Stylize;

use crate::text::{clock, one_line, spoken};
use crate::wait::{AfterSleep, Call, Ending, Entry, EntryKind, Event, History, Note, Reason};

/// Between two pictures of the spinner.
pub const TICK: Duration = Duration::from_millis(250);
/// Between two signs of life where there is no terminal.
const HEARTBEAT: Duration = Duration::from_secs(30);
const SPINNER: [&str; 4] = ["◐", "◓", "◑", "◒"];
const CLEAR_LINE: &str = "\r\x1b[2K";

enum Form {
    Quiet,
    /// A line that is drawn again and again.
    Line,
    /// Lines that stay.
    Log { last_word: Duration },
}

/// The teller.
pub struct Live {
    form: Form,
    colours: bool,
    target: String,
    call: Call,
    history: History,
    began: Instant,
    round_began: Option<Instant>,
    note: Option<String>,
    ticks: usize,
    drawn: bool,
}

impl Live {
    /// A teller for a wait on `server`.
    pub fn new(call: &Call, server: &str, quiet: bool) -> Self {
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let terminal = io::stderr().is_terminal();
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0");
        let form = match (quiet, terminal && !dumb) {
            (true, _) => Form::Quiet,
            (false, true) => Form::Line,
            (false, false) => Form::Log { last_word: Duration::ZERO },
        };
        Self {
            form,
            colours: !set("NO_COLOR") && (set("CLICOLOR_FORCE") || (terminal && !dumb)),
            target: format!("{} ▸ {}", one_line(server, 40), one_line(call.tool(), 60)),
            call: call.clone(),
            history: History::new(),
            began: Instant::now(),
            round_began: None,
            note: None,
            ticks: 0,
            drawn: false,
        }
    }

    /// Says a sentence that stays.
    pub fn say(&mut self, sentence: &str) {
        if !matches!(self.form, Form::Quiet) {
            self.line(sentence);
        }
    }

    /// Takes an event.
    pub fn hear(&mut self, event: &Event) {
        self.history.record(&self.call, event);
        match event {
            Event::RoundStarted { round, .. } => {
                self.round_began = Some(Instant::now());
                if *round > 1 {
                    self.say(&format!("round {round} begins"));
                }
            }
            Event::SampleStarted { .. } => self.note = None,
            Event::Note { note, .. } => self.note = said(note),
            Event::Sample(_) | Event::SampleFailed { .. } => self.tell_newest(),
            Event::Sleeping { then: AfterSleep::LastLook, .. } => {
                self.note = Some("one last look before the budget ends".to_owned());
            }
            _ => {}
        }
        self.draw();
    }

    /// Lets time be seen.
    pub fn tick(&mut self) {
        self.ticks += 1;
        if let Form::Log { last_word } = self.form
            && self.began.elapsed().saturating_sub(last_word) >= HEARTBEAT
        {
            self.log(&format!("still waiting, {}", self.budget()));
        }
        self.draw();
    }

    /// Says how it ended.
    pub fn end(&mut self, ending: &Ending) {
        self.wipe();
        let sentence = match ending {
            Ok(result) => {
                let samples = plural(result.samples, "sample");
                let (mark, word) = match result.reason {
                    Reason::Matched => ("✔", "matched"),
                    Reason::Settled => ("✔", "settled"),
                    Reason::Failed => ("✖", "failed: fail_when matched"),
                    Reason::Timeout => ("✖", "timeout"),
                };
                format!("{mark} {word} after {} s, {samples}", result.elapsed_sec)
            }
            Err(failure) => format!("✖ {}", failure.error),
        };
        let good = ending.as_ref().is_ok_and(|result| {
            matches!(result.reason, Reason::Matched | Reason::Settled)
        });
        let sentence = crate::text::lines(&sentence);
        match (self.colours, good) {
            (true, true) => self.say(&sentence.green().to_string()),
            (true, false) => self.say(&sentence.red().to_string()),
            (false, _) => self.say(&sentence),
        }
    }

    /// Where lines stay, each change is one.
    fn tell_newest(&mut self) {
        let Form::Log { .. } = self.form else { return };
        let Some(entry) = self.history.entries().last() else { return };
        let first = self.history.entries().len() == 1;
        let words = match &entry.kind {
            EntryKind::Failed { cause } => format!("failed: {cause}"),
            EntryKind::Observed { tool_error, changed, .. } if first || *changed || *tool_error => {
                let newest = newest_line(entry);
                if *changed { format!("changed: {newest}") } else { newest.to_owned() }
            }
            EntryKind::Observed { .. } => return,
        };
        let line = format!("sample {}, {}: {words}", entry.sample, spoken(entry.latency));
        self.log(&line);
    }

    fn log(&mut self, words: &str) {
        let at = self.round_began.map_or_else(Duration::default, |_| self.began.elapsed());
        self.form = Form::Log { last_word: self.began.elapsed() };
        self.line(&format!("{:>6}  {}", clock(at), one_line(words, 200)));
    }

    fn draw(&mut self) {
        if !matches!(self.form, Form::Line) {
            return;
        }
        let width = crossterm::terminal::size().map_or(80, |(columns, _)| usize::from(columns));
        let spinner = SPINNER[self.ticks % SPINNER.len()];
        let mut line = format!("{spinner} {}  {}", self.target, self.budget());
        let newest = self.history.entries().last();
        match (&self.note, newest.map(|entry| &entry.kind)) {
            (Some(note), _) => line.push_str(&format!("  · {note}")),
            (None, Some(EntryKind::Failed { cause })) => line.push_str(&format!("  ! {cause}")),
            (None, Some(EntryKind::Observed { .. })) => {
                let newest = self.history.entries().last().map_or("", newest_line);
                line.push_str(&format!("  │ {newest}"));
            }
            (None, None) => {}
        }
        let line = one_line(&line, width.saturating_sub(1));
        self.drawn = true;
        print_now(&format!("{CLEAR_LINE}{line}"));
    }

    fn budget(&self) -> String {
        let Some(began) = self.round_began else {
            return format!("connecting, {}", clock(self.began.elapsed()));
        };
        let elapsed = began.elapsed();
        let left = self.call.bound().saturating_sub(elapsed);
        let samples = self.history.entries().len() as u64;
        format!("{}, {} left, {}", clock(elapsed), clock(left), plural(samples, "sample"))
    }

    fn wipe(&mut self) {
        if self.drawn {
            self.drawn = false;
            print_now(CLEAR_LINE);
        }
    }

    fn line(&mut self, words: &str) {
        self.wipe();
        print_now(&format!("{words}\n"));
    }
}

/// Says a sentence without a wait.
pub fn say(sentence: &str) {
    print_now(&format!("{}\n", crate::text::lines(sentence)));
}

/// A stderr that is gone is no reason to end a wait.
fn print_now(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

fn newest_line(entry: &Entry) -> &str {
    let text = entry.text().map_or("", |text| &**text);
    text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("(empty output)")
}

fn said(note: &Note) -> Option<String> {
    match note {
        Note::Progress { progress, total, message } => {
            let share = total.map_or_else(|| format!("{progress}"), |total| format!("{progress}/{total}"));
            Some(match message {
                Some(message) => format!("progress {share}: {message}"),
                None => format!("progress {share}"),
            })
        }
        Note::Log { level, text } => Some(format!("{level}: {text}")),
        Note::Reconnecting => Some("reconnecting".to_owned()),
        Note::Reconnected => None,
    }
}

fn plural(count: u64, word: &str) -> String {
    if count == 1 { format!("{count} {word}") } else { format!("{count} {word}s") }
}
