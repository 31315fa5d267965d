//! What goes to stdout: the result only.
//!
//! Owns its forms. Must not know what is written.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;
use serde_json::Value;

use super::aura::{AuraEvents, ServerSent};
use super::background::Background;
use super::exit::CantPrint;
use super::flags::OutputForm;
use super::stderr::CLEAR_LINE;
use crate::text;
use crate::wait::{Answer, Ending, Event};

/// `value` as one JSON line. On a terminal, what would move, hide or reorder characters is
/// escaped, which JSON allows everywhere.
///
/// # Errors
/// Where it can't be JSON.
pub fn json_line(value: &impl Serialize) -> Result<String, CantPrint> {
    let mut line = serde_json::to_string(value).map_err(io::Error::from)?;
    if io::stdout().is_terminal() {
        line = text::escape_json(&line);
    }
    line.push('\n');
    Ok(line)
}

/// A text that a server made: cleaned on a terminal, as it came elsewhere. A final line break is
/// added where there is none.
#[must_use]
pub fn foreign_text(text: &str) -> String {
    let mut shown = if io::stdout().is_terminal() {
        text::lines(text)
    } else {
        text.to_owned()
    };
    if !shown.ends_with('\n') {
        shown.push('\n');
    }
    shown
}

/// Writes to stdout, beside everything else.
///
/// # Errors
/// What the pipe says.
pub async fn print(text: String) -> Result<(), CantPrint> {
    let written = tokio::task::spawn_blocking(move || write(&text)).await;
    Ok(written.map_err(io::Error::from)??)
}

/// Writes to stdout.
///
/// # Errors
/// What the pipe says.
pub fn print_now(text: &str) -> Result<(), CantPrint> {
    Ok(write(text)?)
}

/// An event as a JSON line.
///
/// # Errors
/// Where it can't be JSON.
pub fn event_line(event: &Event) -> Result<String, CantPrint> {
    Ok(format!("{}{}", before_a_line(), json_line(event)?))
}

/// An event of AURA's as it is sent.
#[must_use]
pub fn server_sent(ServerSent { name, mut data }: ServerSent) -> String {
    if io::stdout().is_terminal() {
        data = text::escape_json(&data);
    }
    format!("{}event: {name}\ndata: {data}\n\n", before_a_line())
}

/// Events as JSON lines to stdout, beside everything else.
pub fn json_lines() -> Background<Event> {
    Background::new(move |event| {
        let line = event_line(&event).map_err(|CantPrint(error)| error)?;
        write(&line)
    })
}

/// Events to stdout as AURA's, beside everything else. `call` is what was asked for.
pub fn server_sent_events(mut events: AuraEvents, call: Value) -> Background<Event> {
    let send = move |sent| write(&server_sent(sent));
    let requested = events.requested(&call);
    Background::after(
        move || send(requested?),
        move |event| events.tell(&event)?.map_or(Ok(()), send),
    )
}

/// Prints how it ended, in a form that shows nothing but that.
///
/// # Errors
/// What the pipe says.
pub async fn print_ending(ending: &Ending, form: OutputForm) -> Result<(), CantPrint> {
    match form {
        OutputForm::Json => print(json_line(&Answer::from(ending))?).await,
        OutputForm::Text => {
            let last = match ending {
                Ok(result) => Some(&result.last_observation),
                Err(failure) => failure.last_observation.as_ref(),
            };
            match last {
                Some(text) => print(foreign_text(text)).await,
                None => Ok(()),
            }
        }
        OutputForm::Jsonl | OutputForm::Aura | OutputForm::None => Ok(()),
    }
}

/// The live line on stderr gives way where both are the same terminal.
fn before_a_line() -> &'static str {
    let terminals = io::stdout().is_terminal() && io::stderr().is_terminal();
    if terminals { CLEAR_LINE } else { "" }
}

fn write(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}
