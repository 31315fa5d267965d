//! The table itself. The order of its lines is the order of the hint line and of the help.

mod layers;

use crossterm::event::KeyCode;

use super::groups::{
    AT_REST, BENCH, BENCH_AT_REST, BENCH_RESTS, EVERYWHERE, FIELDS, FIELDS_AND_EDITOR,
    JOURNAL_LISTS, JOURNALS, JUDGED, LIBRARY, LISTS_AND_HELP, MOVED_BY_LINES, ON_A_WAIT,
    ON_ANY_WAIT, OVER_A_PLACE, READ, RESULTS, SAMPLES, SCROLLED, SCROLLED_HOME, TYPING,
    UNDER_LAYERS, WHAT_IF,
};
use super::{Action, Context, Key};

/// One line.
#[derive(Debug)]
pub(super) struct Row {
    /// What it does.
    pub(super) action: Action,
    /// A word or two for the hint line; empty where the hint line leaves it out.
    pub(super) label: &'static str,
    /// Where it holds.
    pub(super) contexts: &'static [Context],
    /// The keys, the one to show first. Where one types, those that are text don't hold.
    pub(super) keys: &'static [Key],
}

const fn line(
    action: Action,
    label: &'static str,
    contexts: &'static [Context],
    keys: &'static [Key],
) -> Row {
    Row {
        action,
        label,
        contexts,
        keys,
    }
}

const ENTER: Key = Key::code(KeyCode::Enter);
const ESC: Key = Key::code(KeyCode::Esc);
const SPACE: Key = Key::plain(' ');
const LEFT: Key = Key::code(KeyCode::Left);
const RIGHT: Key = Key::code(KeyCode::Right);
const UP: Key = Key::code(KeyCode::Up);
const DOWN: Key = Key::code(KeyCode::Down);
const TAB: Key = Key::code(KeyCode::Tab);
const BACK_TAB: Key = Key::code(KeyCode::BackTab);
const DELETE: Key = Key::code(KeyCode::Delete);
const HOME: Key = Key::code(KeyCode::Home);
const END: Key = Key::code(KeyCode::End);
const PAGE_UP: Key = Key::code(KeyCode::PageUp);
const PAGE_DOWN: Key = Key::code(KeyCode::PageDown);
const F1: Key = Key::code(KeyCode::F(1));
const HELP: &[Key] = &[Key::plain('?'), F1];
const COMMANDS: &[Key] = &[Key::plain(':'), Key::ctrl('p')];

/// Every key of the screen.
pub(super) fn table() -> impl Iterator<Item = &'static Row> {
    layers::ROWS.iter().chain(PLACES)
}

/// The keys of the places.
const PLACES: &[Row] = &[
    line(
        Action::ChooseServer,
        "connect",
        &[Context::ServerList],
        &[ENTER],
    ),
    line(Action::ChooseTool, "choose", &[Context::ToolList], &[ENTER]),
    line(
        Action::Run,
        "run",
        BENCH,
        &[Key::plain('r'), Key::ctrl('r')],
    ),
    line(
        Action::Try,
        "try",
        BENCH,
        &[Key::plain('t'), Key::ctrl('t')],
    ),
    line(
        Action::Save,
        "save",
        BENCH,
        &[Key::plain('s'), Key::ctrl('s')],
    ),
    line(Action::OpenPicker, "choose", &[Context::ToolLine], &[ENTER]),
    line(
        Action::FixPattern,
        "",
        JUDGED,
        &[Key::plain('F'), Key::ctrl('f')],
    ),
    line(Action::StartAfresh, "", BENCH_AT_REST, &[Key::plain('A')]),
    line(
        Action::OpenEditor,
        "editor",
        BENCH,
        &[Key::plain('E'), Key::ctrl('o')],
    ),
    line(
        Action::StartTyping,
        "type",
        &[Context::Resting, Context::Argument],
        &[ENTER],
    ),
    line(
        Action::NextOption,
        "next option",
        &[Context::ArgumentChoice, Context::Choice],
        &[RIGHT, Key::plain('l'), SPACE, ENTER],
    ),
    line(
        Action::PreviousOption,
        "",
        &[Context::ArgumentChoice, Context::Choice],
        &[LEFT, Key::plain('h')],
    ),
    line(
        Action::ToggleForm,
        "form",
        BENCH,
        &[Key::plain('f'), Key::code(KeyCode::F(2))],
    ),
    line(
        Action::Unset,
        "unset",
        &[Context::Argument, Context::ArgumentChoice],
        &[Key::plain('u'), Key::code(KeyCode::Delete)],
    ),
    line(
        Action::SetNull,
        "null",
        &[Context::Argument, Context::ArgumentChoice],
        &[Key::plain('n')],
    ),
    line(
        Action::ToggleMore,
        "more",
        &[Context::Fold],
        &[ENTER, Key::plain('m'), SPACE],
    ),
    line(
        Action::FindTool,
        "tools",
        &[
            Context::ToolLine,
            Context::Resting,
            Context::Argument,
            Context::ArgumentChoice,
            Context::Choice,
            Context::Fold,
        ],
        &[Key::plain('/')],
    ),
    line(
        Action::OpenMessage,
        "read",
        &[Context::Trace],
        &[ENTER, RIGHT],
    ),
    line(
        Action::CopyMessage,
        "copy",
        &[Context::Trace, Context::Message],
        &[Key::plain('y')],
    ),
    line(
        Action::PreviousMessage,
        "step",
        &[Context::Message],
        &[LEFT, Key::plain('[')],
    ),
    line(
        Action::NextMessage,
        "",
        &[Context::Message],
        &[RIGHT, Key::plain(']')],
    ),
    line(Action::Hold, "hold", JOURNAL_LISTS, &[SPACE]),
    line(Action::OpenKept, "open", LIBRARY, &[ENTER]),
    line(
        Action::RunKept,
        "run",
        LIBRARY,
        &[Key::plain('r'), Key::ctrl('r')],
    ),
    line(Action::Filter, "filter", LISTS_AND_HELP, &[Key::plain('/')]),
    line(Action::Rename, "rename", LIBRARY, &[Key::plain('R')]),
    line(
        Action::Delete,
        "delete",
        LIBRARY,
        &[Key::plain('D'), DELETE],
    ),
    line(Action::Restore, "undo", LIBRARY, &[Key::plain('u')]),
    line(Action::Export, "export", LIBRARY, &[Key::plain('x')]),
    line(Action::CopyPath, "path", LIBRARY, &[Key::plain('y')]),
    line(Action::NextPane, "pane", LIBRARY, &[TAB, BACK_TAB]),
    line(Action::Filter, "filter", JOURNAL_LISTS, &[Key::plain('/')]),
    line(
        Action::OpenAdding,
        "add",
        &[Context::ServerList],
        &[Key::plain('a')],
    ),
    line(
        Action::Reconnect,
        "reconnect",
        &[Context::ServerList],
        &[Key::plain('R')],
    ),
    line(
        Action::Disconnect,
        "disconnect",
        &[Context::ServerList],
        &[Key::plain('X')],
    ),
    line(Action::Hold, "hold", SAMPLES, &[SPACE]),
    line(
        Action::Faster,
        "speed",
        &[Context::Replay],
        &[Key::plain('+')],
    ),
    line(Action::Slower, "", &[Context::Replay], &[Key::plain('-')]),
    line(Action::StepBack, "step", SAMPLES, &[LEFT, Key::plain('[')]),
    line(Action::StepOn, "", SAMPLES, &[RIGHT, Key::plain(']')]),
    line(Action::PreviousWait, "wait", SAMPLES, &[Key::plain('<')]),
    line(Action::NextWait, "", SAMPLES, &[Key::plain('>')]),
    line(
        Action::ChangeBack,
        "change",
        SAMPLES,
        &[Key::plain('{'), Key::shift(KeyCode::Left)],
    ),
    line(
        Action::ChangeOn,
        "",
        SAMPLES,
        &[Key::plain('}'), Key::shift(KeyCode::Right)],
    ),
    line(Action::First, "", SAMPLES, &[HOME]),
    line(Action::Newest, "", SAMPLES, &[END]),
    line(Action::Diff, "diff", SAMPLES, &[Key::plain('d')]),
    line(Action::LookAt, "look at", &[Context::WaitList], &[ENTER]),
    line(Action::Stop, "stop", ON_A_WAIT, &[Key::plain('x')]),
    line(
        Action::Dismiss,
        "dismiss",
        &[Context::WaitList],
        &[Key::plain('D'), DELETE],
    ),
    line(Action::Continue, "continue", ON_A_WAIT, &[Key::plain('c')]),
    line(
        Action::RunAgain,
        "run again",
        ON_ANY_WAIT,
        &[Key::plain('r'), Key::ctrl('r')],
    ),
    line(Action::WhatIf, "what if", SAMPLES, &[Key::plain('i')]),
    line(Action::Copy, "copy", ON_ANY_WAIT, &[Key::plain('y')]),
    line(
        Action::CopyOutput,
        "output",
        &[Context::Copy],
        &[Key::plain('o')],
    ),
    line(
        Action::CopyResult,
        "result",
        &[Context::Copy],
        &[Key::plain('r')],
    ),
    line(
        Action::CopyCommand,
        "command",
        &[Context::Copy],
        &[Key::plain('c')],
    ),
    line(
        Action::CopyCall,
        "agent's call",
        &[Context::Copy],
        &[Key::plain('a')],
    ),
    line(
        Action::CloseLayer,
        "close",
        &[Context::Copy],
        &[ESC, Key::plain('q'), Key::plain('y')],
    ),
    line(
        Action::CopyRecording,
        "path",
        &[Context::Copy],
        &[Key::plain('p')],
    ),
    line(Action::EditOnBench, "edit", ON_ANY_WAIT, &[Key::plain('E')]),
    line(
        Action::Save,
        "save",
        ON_ANY_WAIT,
        &[Key::plain('s'), Key::ctrl('s')],
    ),
    line(
        Action::CloseLayer,
        "close",
        &[Context::WaitList],
        &[ESC, Key::plain('q'), Key::plain('W')],
    ),
    line(
        Action::Search,
        "search",
        &[Context::Preview, Context::LibraryText],
        &[Key::plain('/')],
    ),
    line(
        Action::NextMatch,
        "match",
        &[Context::Preview, Context::LibraryText],
        &[Key::plain('n')],
    ),
    line(Action::NextField, "next", BENCH, &[TAB]),
    line(Action::NextField, "", FIELDS, &[DOWN, Key::plain('j')]),
    line(Action::PreviousField, "", BENCH, &[BACK_TAB]),
    line(Action::PreviousField, "", FIELDS, &[UP, Key::plain('k')]),
    line(Action::NextPane, "", BENCH, &[Key::plain('}')]),
    line(Action::NextPane, "", FIELDS_AND_EDITOR, &[PAGE_DOWN]),
    line(Action::PreviousPane, "", BENCH, &[Key::plain('{')]),
    line(Action::PreviousPane, "", FIELDS_AND_EDITOR, &[PAGE_UP]),
    line(Action::ToggleMore, "", BENCH_AT_REST, &[Key::plain('m')]),
    line(Action::Up, "", MOVED_BY_LINES, &[UP, Key::plain('k')]),
    line(Action::Down, "", MOVED_BY_LINES, &[DOWN, Key::plain('j')]),
    line(Action::Up, "", &[Context::Palette], &[Key::ctrl('p')]),
    line(Action::Down, "", &[Context::Palette], &[Key::ctrl('n')]),
    line(Action::PageUp, "", SCROLLED, &[PAGE_UP, Key::ctrl('u')]),
    line(Action::PageDown, "", SCROLLED, &[PAGE_DOWN, Key::ctrl('d')]),
    line(
        Action::PageUp,
        "",
        &[
            Context::Palette,
            Context::LibraryFilter,
            Context::JournalFilter,
            Context::HelpFilter,
        ],
        &[PAGE_UP],
    ),
    line(
        Action::PageDown,
        "",
        &[
            Context::Palette,
            Context::LibraryFilter,
            Context::JournalFilter,
            Context::HelpFilter,
        ],
        &[PAGE_DOWN],
    ),
    line(Action::Top, "", SCROLLED, &[Key::plain('g')]),
    line(Action::Top, "", SCROLLED_HOME, &[HOME]),
    line(Action::Bottom, "", SCROLLED, &[Key::plain('G')]),
    line(Action::Bottom, "", SCROLLED_HOME, &[END]),
    line(Action::Zoom, "zoom", AT_REST, &[Key::plain('z')]),
    // On the Watch, what is done to the wait comes first.
    line(Action::Search, "search", SAMPLES, &[Key::plain('/')]),
    line(Action::NextMatch, "match", SAMPLES, &[Key::plain('n')]),
    line(Action::PreviousMatch, "", READ, &[Key::plain('N')]),
    line(Action::KeepSearch, "keep", &[Context::Search], &[ENTER]),
    line(Action::ClearSearch, "clear", &[Context::Search], &[ESC]),
    line(Action::NextMatch, "", &[Context::Search], &[DOWN]),
    line(Action::PreviousMatch, "", &[Context::Search], &[UP]),
    line(Action::Wrap, "wrap", READ, &[Key::plain('w')]),
    line(
        Action::Wrap,
        "wrap",
        &[Context::ServerLog, Context::Message],
        &[Key::plain('w')],
    ),
    line(Action::ShowLog, "log", JOURNALS, &[Key::plain('L')]),
    line(Action::ShowTrace, "trace", JOURNALS, &[Key::plain('T')]),
    line(
        Action::CloseLayer,
        "close",
        JOURNALS,
        &[ESC, Key::plain('q')],
    ),
    line(Action::Aspect, "view", RESULTS, &[Key::plain('v')]),
    line(Action::Numbers, "numbers", READ, &[Key::plain('#')]),
    line(Action::LineStart, "", TYPING, &[Key::ctrl('a')]),
    line(Action::LineEnd, "", TYPING, &[Key::ctrl('e')]),
    line(Action::DeleteWord, "", TYPING, &[Key::ctrl('w')]),
    line(Action::DeleteToStart, "", TYPING, &[Key::ctrl('u')]),
    line(Action::DeleteToEnd, "", TYPING, &[Key::ctrl('k')]),
    line(Action::DeleteNext, "", TYPING, &[Key::ctrl('d')]),
    line(Action::Undo, "", TYPING, &[Key::ctrl('_')]),
    line(Action::Dismiss, "", SAMPLES, &[Key::plain('D'), DELETE]),
    line(Action::GoBench, "", AT_REST, &[Key::plain('1')]),
    line(Action::GoBench, "", OVER_A_PLACE, &[Key::plain('1')]),
    line(Action::GoWatch, "", AT_REST, &[Key::plain('2')]),
    line(Action::GoWatch, "", OVER_A_PLACE, &[Key::plain('2')]),
    line(Action::GoLibrary, "", AT_REST, &[Key::plain('3')]),
    line(Action::GoLibrary, "", OVER_A_PLACE, &[Key::plain('3')]),
    line(Action::Back, "", AT_REST, &[ESC]),
    line(Action::Commands, "commands", UNDER_LAYERS, COMMANDS),
    line(Action::Commands, "", OVER_A_PLACE, COMMANDS),
    line(Action::Help, "", UNDER_LAYERS, HELP),
    line(Action::Help, "", &[Context::Asked], HELP),
    line(Action::Help, "", &[Context::Answer], &[F1]),
    line(Action::Help, "", JOURNALS, HELP),
    line(Action::Help, "", WHAT_IF, HELP),
    line(
        Action::Help,
        "",
        &[Context::WaitList, Context::Copy, Context::SavingChoice],
        HELP,
    ),
    line(
        Action::Help,
        "",
        &[
            Context::Adding,
            Context::Saving,
            Context::Naming,
            Context::JournalFilter,
        ],
        &[F1],
    ),
    line(Action::Copy, "", BENCH_RESTS, &[Key::plain('y')]),
    line(Action::Bell, "", &[Context::Watch], &[Key::plain('b')]),
    line(Action::Waits, "waits", AT_REST, &[Key::plain('W')]),
    line(Action::Waits, "", JOURNALS, &[Key::plain('W')]),
    line(Action::Interrupt, "", EVERYWHERE, &[Key::ctrl('c')]),
    line(Action::Quit, "quit", AT_REST, &[Key::plain('q')]),
    line(Action::ShowLog, "log", AT_REST, &[Key::plain('L')]),
    line(Action::ShowTrace, "trace", AT_REST, &[Key::plain('T')]),
    line(
        Action::ShowLog,
        "log",
        &[Context::WaitList],
        &[Key::plain('L')],
    ),
    line(
        Action::ShowTrace,
        "trace",
        &[Context::WaitList],
        &[Key::plain('T')],
    ),
];
