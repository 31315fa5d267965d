//! Contexts that have keys in common.
//!
//! Owns nothing but names for them: the table says which keys.

use super::Context;

pub(super) const EVERYWHERE: &[Context] = &Context::ALL;
/// Where a text is judged by a condition.
pub(super) const JUDGED: &[Context] = &[
    Context::ToolLine,
    Context::ServerList,
    Context::ToolList,
    Context::Filter,
    Context::Line,
    Context::Editor,
    Context::Resting,
    Context::Argument,
    Context::ArgumentChoice,
    Context::Choice,
    Context::Fold,
    Context::Preview,
    Context::Watch,
    Context::Replay,
    Context::Search,
];
pub(super) const UNDER_LAYERS: &[Context] = &[
    Context::ToolLine,
    Context::ServerList,
    Context::ToolList,
    Context::Filter,
    Context::Line,
    Context::Editor,
    Context::Resting,
    Context::Argument,
    Context::ArgumentChoice,
    Context::Choice,
    Context::Fold,
    Context::Preview,
    Context::Watch,
    Context::Replay,
    Context::Search,
    Context::LibraryList,
    Context::LibraryFilter,
    Context::LibraryText,
];
pub(super) const BENCH: &[Context] = &[
    Context::ToolLine,
    Context::ServerList,
    Context::ToolList,
    Context::Filter,
    Context::Line,
    Context::Editor,
    Context::Resting,
    Context::Argument,
    Context::ArgumentChoice,
    Context::Choice,
    Context::Fold,
    Context::Preview,
];
/// Everywhere on the Bench and the Watch where nothing is typed.
pub(super) const AT_REST: &[Context] = &[
    Context::ToolLine,
    Context::ServerList,
    Context::ToolList,
    Context::Resting,
    Context::Argument,
    Context::ArgumentChoice,
    Context::Choice,
    Context::Fold,
    Context::Preview,
    Context::Watch,
    Context::Replay,
    Context::LibraryList,
    Context::LibraryText,
];
pub(super) const BENCH_AT_REST: &[Context] = &[
    Context::ToolLine,
    Context::ServerList,
    Context::ToolList,
    Context::Resting,
    Context::Argument,
    Context::ArgumentChoice,
    Context::Choice,
    Context::Preview,
];
pub(super) const BENCH_RESTS: &[Context] = &[
    Context::ToolLine,
    Context::ServerList,
    Context::ToolList,
    Context::Resting,
    Context::Choice,
    Context::Fold,
    Context::Preview,
];
pub(super) const TYPING: &[Context] = &[
    Context::Filter,
    Context::Adding,
    Context::Saving,
    Context::Answer,
    Context::WhatIf,
    Context::Line,
    Context::Editor,
    Context::Search,
    Context::JournalFilter,
    Context::HelpFilter,
    Context::Palette,
    Context::LibraryFilter,
    Context::Naming,
];
/// The dialog that saves.
pub(super) const SAVING: &[Context] = &[Context::Saving, Context::SavingChoice];
/// Where a result is looked at.
pub(super) const RESULTS: &[Context] = &[Context::Preview, Context::Watch, Context::Replay];
/// Where a long text is read.
pub(super) const READ: &[Context] = &[
    Context::Preview,
    Context::Watch,
    Context::Replay,
    Context::LibraryText,
];
/// The Library where nothing is typed.
pub(super) const LIBRARY: &[Context] = &[Context::LibraryList, Context::LibraryText];
pub(super) const LISTS_AND_HELP: &[Context] = &[
    Context::ServerList,
    Context::ToolList,
    Context::Help,
    Context::LibraryList,
];
pub(super) const MOVED_BY_LINES: &[Context] = &[
    Context::ServerList,
    Context::ToolList,
    Context::Filter,
    Context::JournalFilter,
    Context::HelpFilter,
    Context::Palette,
    Context::Preview,
    Context::Watch,
    Context::Replay,
    Context::ServerLog,
    Context::Trace,
    Context::Message,
    Context::WaitList,
    Context::Help,
    Context::LibraryList,
    Context::LibraryFilter,
    Context::LibraryText,
];
pub(super) const SCROLLED: &[Context] = &[
    Context::ServerList,
    Context::ToolList,
    Context::Preview,
    Context::Watch,
    Context::Replay,
    Context::ServerLog,
    Context::Trace,
    Context::Message,
    Context::WaitList,
    Context::Help,
    Context::LibraryList,
    Context::LibraryText,
];
/// Where `Home` and `End` mean the top and the bottom; on the Watch they mean samples.
pub(super) const SCROLLED_HOME: &[Context] = &[
    Context::ServerList,
    Context::ToolList,
    Context::Preview,
    Context::ServerLog,
    Context::Trace,
    Context::Message,
    Context::WaitList,
    Context::Help,
    Context::LibraryList,
    Context::LibraryText,
];
/// What shows a server's journal.
pub(super) const JOURNALS: &[Context] = &[Context::ServerLog, Context::Trace, Context::Message];
/// The same, where it is a list.
pub(super) const JOURNAL_LISTS: &[Context] = &[Context::ServerLog, Context::Trace];
/// What lies over a place and gives way to whatever is called up next.
pub(super) const OVER_A_PLACE: &[Context] = &[
    Context::ServerLog,
    Context::Trace,
    Context::Message,
    Context::WaitList,
];
/// Where another condition is asked about.
pub(super) const WHAT_IF: &[Context] = &[Context::WhatIf, Context::WhatIfOption];
/// Where samples are looked at.
pub(super) const SAMPLES: &[Context] = &[Context::Watch, Context::Replay];
/// Where a wait is in view or under the cursor, whether it is one of this session or recorded.
pub(super) const ON_ANY_WAIT: &[Context] = &[Context::Watch, Context::Replay, Context::WaitList];
/// Where a wait is in view or under the cursor.
pub(super) const ON_A_WAIT: &[Context] = &[Context::Watch, Context::WaitList];
pub(super) const FIELDS: &[Context] = &[
    Context::ToolLine,
    Context::Line,
    Context::Resting,
    Context::Argument,
    Context::ArgumentChoice,
    Context::Choice,
    Context::Fold,
];

/// Where nothing is scrolled by pages.
pub(super) const FIELDS_AND_EDITOR: &[Context] = &[
    Context::ToolLine,
    Context::Line,
    Context::Editor,
    Context::Resting,
    Context::Argument,
    Context::ArgumentChoice,
    Context::Choice,
    Context::Fold,
];
