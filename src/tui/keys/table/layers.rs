//! The part of the table that is about what lies on top of a place, and about what is typed there.

use crossterm::event::KeyCode;

use super::super::groups::{SAVING, WHAT_IF};
use super::super::{Action, Context, Key};
use super::{
    BACK_TAB, DOWN, ENTER, ESC, LEFT, PAGE_DOWN, PAGE_UP, RIGHT, Row, SPACE, TAB, UP, line,
};

/// Its lines.
pub(super) const ROWS: &[Row] = &[
    line(Action::TakeWhatIf, "Bench", WHAT_IF, &[ENTER]),
    line(
        Action::Save,
        "save",
        WHAT_IF,
        &[Key::ctrl('s'), Key::plain('s')],
    ),
    line(
        Action::CloseLayer,
        "discard",
        WHAT_IF,
        &[ESC, Key::plain('q')],
    ),
    line(Action::StepBack, "sample", WHAT_IF, &[UP]),
    line(Action::StepOn, "", WHAT_IF, &[DOWN]),
    line(Action::NextField, "field", WHAT_IF, &[TAB]),
    line(Action::PreviousField, "", WHAT_IF, &[BACK_TAB]),
    line(
        Action::NextOption,
        "next option",
        &[Context::WhatIfOption],
        &[RIGHT, Key::plain('l'), SPACE],
    ),
    line(
        Action::PreviousOption,
        "",
        &[Context::WhatIfOption],
        &[LEFT, Key::plain('h')],
    ),
    line(
        Action::GoStop,
        "its stop",
        WHAT_IF,
        &[Key::ctrl('g'), Key::plain('g')],
    ),
    line(
        Action::FixPattern,
        "",
        WHAT_IF,
        &[Key::ctrl('f'), Key::plain('F')],
    ),
    line(Action::PageUp, "", WHAT_IF, &[PAGE_UP]),
    line(Action::PageDown, "", WHAT_IF, &[PAGE_DOWN]),
    line(Action::Yes, "yes", &[Context::Question], &[Key::plain('y')]),
    line(
        Action::No,
        "no",
        &[Context::Question],
        &[Key::plain('n'), ESC, Key::plain('q')],
    ),
    line(Action::TakeOffer, "loads it", &[Context::Offer], &[ENTER]),
    line(
        Action::DeclineOffer,
        "inserts it",
        &[Context::Offer],
        &[ESC],
    ),
    line(Action::StartTyping, "type", &[Context::Asked], &[ENTER]),
    line(
        Action::Accept,
        "accept",
        &[Context::Asked],
        &[Key::plain('A')],
    ),
    line(
        Action::Accept,
        "accept",
        &[Context::Answer],
        &[Key::ctrl('s')],
    ),
    line(
        Action::Decline,
        "decline",
        &[Context::Asked],
        &[Key::plain('D')],
    ),
    line(
        Action::PutAway,
        "neither",
        &[Context::Asked],
        &[ESC, Key::plain('q')],
    ),
    line(
        Action::StopTyping,
        "stop typing",
        &[Context::Answer],
        &[ESC],
    ),
    line(Action::AddServer, "add", &[Context::Adding], &[ENTER]),
    line(
        Action::Discover,
        "other programs",
        &[Context::Adding],
        &[TAB],
    ),
    line(Action::SaveNow, "save", SAVING, &[ENTER]),
    line(Action::NextField, "next", SAVING, &[TAB, DOWN]),
    line(Action::PreviousField, "", SAVING, &[BACK_TAB, UP]),
    line(
        Action::NextOption,
        "next option",
        &[Context::SavingChoice],
        &[RIGHT, Key::plain('l'), SPACE],
    ),
    line(
        Action::PreviousOption,
        "",
        &[Context::SavingChoice],
        &[LEFT, Key::plain('h')],
    ),
    line(Action::CloseLayer, "close", &[Context::Saving], &[ESC]),
    line(
        Action::CloseLayer,
        "close",
        &[Context::SavingChoice],
        &[ESC, Key::plain('q')],
    ),
    line(Action::ConfirmName, "take it", &[Context::Naming], &[ENTER]),
    line(
        Action::CloseLayer,
        "close",
        &[Context::Adding, Context::Naming],
        &[ESC],
    ),
    line(
        Action::CloseLayer,
        "close",
        &[Context::Help],
        &[
            ESC,
            Key::plain('q'),
            Key::plain('?'),
            Key::code(KeyCode::F(1)),
        ],
    ),
    line(
        Action::StopTyping,
        "stop typing",
        &[Context::Line],
        &[ESC, ENTER],
    ),
    line(
        Action::StopTyping,
        "stop typing",
        &[Context::Editor],
        &[ESC],
    ),
    line(Action::Perform, "do it", &[Context::Palette], &[ENTER]),
    line(
        Action::CloseLayer,
        "close",
        &[Context::Palette],
        &[ESC, Key::code(KeyCode::F(1))],
    ),
    line(
        Action::CloseLayer,
        "",
        &[Context::HelpFilter],
        &[Key::code(KeyCode::F(1))],
    ),
    line(
        Action::KeepFilter,
        "keep",
        &[
            Context::Filter,
            Context::LibraryFilter,
            Context::JournalFilter,
            Context::HelpFilter,
        ],
        &[ENTER],
    ),
    line(
        Action::ClearFilter,
        "clear",
        &[
            Context::Filter,
            Context::LibraryFilter,
            Context::JournalFilter,
            Context::HelpFilter,
        ],
        &[ESC],
    ),
];
