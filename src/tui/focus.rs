//! What can have the focus on the Bench, and in which pane it lies.
//!
//! Owns the names of both. Must not know where they are drawn.

use super::draft::Input;

/// What has the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Focus {
    /// The list of servers.
    Servers,
    /// The list of tools, or the line that it is folded to.
    Tools,
    /// The field of the arguments' form in that row.
    Argument(usize),
    /// Which condition.
    Kind,
    /// A text field.
    Text(Input),
    /// The line that unfolds more fields.
    More,
    /// What a tool error may do.
    ToolErrors,
    /// The output of the last try.
    Preview,
}

/// A rectangle of the Bench that can be zoomed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pane {
    /// Servers and tools.
    Tool,
    /// The arguments.
    Arguments,
    /// The condition and the budget.
    Until,
    /// The output of the last try.
    Preview,
}

impl Pane {
    /// Every pane, from top to bottom.
    pub const ALL: [Self; 4] = [Self::Tool, Self::Arguments, Self::Until, Self::Preview];

    /// Its title.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Tool => "Tool",
            Self::Arguments => "Arguments",
            Self::Until => "Until",
            Self::Preview => "Preview",
        }
    }
}

impl Focus {
    /// The pane it lies in.
    #[must_use]
    pub fn pane(self) -> Pane {
        match self {
            Self::Servers | Self::Tools => Pane::Tool,
            Self::Argument(_) | Self::Text(Input::Arguments) => Pane::Arguments,
            Self::Kind | Self::Text(_) | Self::More | Self::ToolErrors => Pane::Until,
            Self::Preview => Pane::Preview,
        }
    }
}
