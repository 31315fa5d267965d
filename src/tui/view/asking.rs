//! The layer with a server's question.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

use super::super::about;
use super::super::asking::Asking;
use super::super::form::paragraph;
use super::super::keys::{Action, Context};
use super::super::model::Model;
use super::Cursor;
use super::layers::boxed;
use super::pieces::{self, Pane, row, words};
use crate::mcp::Wanted;
use crate::text;

/// Rows of the answer at most.
const MOST_ROWS: usize = 8;

/// Answers where the cursor is, where the answer is typed.
pub(super) fn draw(asking: &Asking, model: &Model, buffer: &mut Buffer) -> Cursor {
    let look = model.look;
    let width = usize::from(
        super::layout::inside(boxed(buffer.area, u16::MAX))
            .width
            .max(1),
    );
    let mut lines: Vec<(String, Style)> = Vec::new();
    let mut say = |words: &str, style: Style| {
        lines.extend(
            paragraph(words, width)
                .into_iter()
                .map(|line| (line, style)),
        );
    };
    say(asking.elicitation.message.trim(), look.strong());
    match &asking.elicitation.wanted {
        Wanted::Visit { url } => {
            say(url, look.accent());
            say(
                "Open it yourself, if you trust it; then accept.",
                look.muted(),
            );
        }
        Wanted::Form { schema } => {
            for field in about::fields(schema) {
                say(&field, look.muted());
            }
        }
    }
    let (problem, style) = match (&asking.problem, asking.sent) {
        (_, true) => ("sending …", look.accent()),
        (Some(problem), _) => (problem.as_str(), look.error()),
        (None, _) => ("", Style::new()),
    };
    let problem = paragraph(problem, width);
    let answers = answers(model, asking, width);
    let rows = asking
        .answer
        .as_ref()
        .map_or(0, |field| field.rows().len().min(MOST_ROWS));
    let below = rows + problem.len() + answers.len();
    let wanted = lines.len() + 1 + below + 2;
    let area = boxed(buffer.area, u16::try_from(wanted).unwrap_or(u16::MAX));
    Clear.render(area, buffer);
    let title = format!("{} asks", text::one_line(&asking.elicitation.server, 40));
    Pane {
        title: &title,
        focused: true,
        ..Pane::default()
    }
    .frame(buffer, area, look);
    let inside = super::layout::inside(area);
    let height = usize::from(inside.height);
    // Where not all of it fits, the answer and the keys come before the rest of the question.
    let room = height.saturating_sub(below);
    let cut = lines.len() > room;
    lines.truncate(room.saturating_sub(usize::from(cut)));
    if cut {
        lines.push(("…".to_owned(), look.warn()));
    }
    for (offset, (line, style)) in lines.iter().enumerate() {
        words(buffer, row(inside, offset), &[(line, *style)]);
    }
    let mut at = height.saturating_sub(below);
    let mut cursor = None;
    if let Some(field) = &asking.answer {
        let editor = Rect {
            y: inside.y + u16::try_from(at).unwrap_or(0),
            height: u16::try_from(rows).unwrap_or(0).min(inside.height),
            ..inside
        };
        let top = (field.cursor().0 + 1).saturating_sub(usize::from(editor.height));
        let found = pieces::field(buffer, editor, field, top, Style::new());
        cursor = found.filter(|_| asking.typing);
        at += rows;
    }
    for line in &problem {
        words(buffer, row(inside, at), &[(line, style)]);
        at += 1;
    }
    for line in &answers {
        words(buffer, row(inside, at), &[(line, Style::new())]);
        at += 1;
    }
    cursor
}

/// What can be pressed.
fn answers(model: &Model, asking: &Asking, width: usize) -> Vec<String> {
    let context = if asking.typing {
        Context::Answer
    } else {
        Context::Asked
    };
    let told = [
        (Action::StartTyping, "types the answer"),
        (Action::Accept, "accepts"),
        (Action::Decline, "declines"),
        (Action::PutAway, "neither"),
        (Action::StopTyping, "stops typing"),
    ];
    let told = told.into_iter().filter_map(|(action, what)| {
        let typed = action == Action::StartTyping;
        let key = model.keymap.key(context, action)?;
        (!typed || asking.answer.is_some()).then(|| format!("{} {what}", model.look.key(key)))
    });
    paragraph(&told.collect::<Vec<_>>().join("   "), width)
}
