//! The keys: one table, from which dispatch, the hint line, the help and the README come.
//!
//! Owns which key means which action in which context. Must not know what an action does.

mod groups;
mod key;
mod keymap;
mod spelling;
mod table;

#[cfg(test)]
mod tests;

use crossterm::event::KeyCode;

pub use key::Key;
pub use keymap::{Binding, Keymap, Refused};

/// Declares the actions, each with the sentence that the help shows for it.
macro_rules! actions {
    ($($name:ident $help:literal),* $(,)?) => {
        /// What a key can mean.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Action { $(#[doc = $help] $name),* }

        impl Action {
            /// Every action.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The sentence for the help.
            #[must_use]
            pub fn help(self) -> &'static str {
                match self { $(Self::$name => $help),* }
            }
        }
    };
}

actions! {
    Run "run the wait that is on the Bench",
    Try "call the tool once and show what it answers",
    Save "save the wait under a name",
    SaveNow "save it as written here",
    FixPattern "take the pattern offered instead; again, the next",
    OpenPicker "choose another server or tool",
    FindTool "find another tool by its name",
    ChooseServer "connect to the server and list its tools",
    ChooseTool "take the tool to the Bench",
    Reconnect "close the server's connection and make it again",
    Disconnect "close the server's connection",
    OpenAdding "add a server, or look for servers in the files of other programs",
    AddServer "add the server and connect to it",
    Discover "look for servers in the files of other programs",
    Filter "filter the list, or the lines of the help",
    KeepFilter "keep the filter; in a list, the only one left is chosen",
    ClearFilter "clear the filter",
    Search "search the text; capitals count where one is written",
    KeepSearch "keep the search and go back to the text",
    ClearSearch "clear the search and go back to where it was begun",
    NextMatch "the next match of the search, or of the condition",
    PreviousMatch "the match before",
    StartAfresh "begin arguments, condition and budget afresh; again, what was written is back",
    OpenEditor "edit the arguments in $VISUAL or $EDITOR",
    StartTyping "type in the field",
    StopTyping "stop typing; the field keeps the focus",
    NextOption "the next option",
    PreviousOption "the option before",
    ToggleForm "show the arguments as a form, or as JSON",
    Unset "unset the argument: it isn't sent",
    SetNull "set the argument to null, where the schema allows it",
    ToggleMore "show or hide the fields that few waits need",
    NextField "to the next field",
    PreviousField "to the field before",
    NextPane "to the next pane",
    PreviousPane "to the pane before",
    LineStart "to the start of the line",
    LineEnd "to the end of the line",
    DeleteWord "delete the word before the cursor",
    DeleteToStart "delete up to the start of the line",
    DeleteToEnd "delete up to the end of the line",
    DeleteNext "delete the character under the cursor",
    Accept "accept what the server asks, with what is written",
    Decline "decline what the server asks",
    PutAway "put the server's question away; neither yes nor no",
    Undo "undo what was typed last",
    ShowLog "show the log of the server in view, or close it",
    ShowTrace "show the messages between stakeout and the server in view, or close them",
    OpenMessage "read the message",
    CopyMessage "copy the message, as it was written",
    PreviousMessage "the message before",
    NextMessage "the next message",
    Hold "hold the view where it is, or follow the newest; play a recording, or pause it",
    Faster "play the recording faster",
    Slower "play the recording slower",
    StepBack "the sample before",
    StepOn "the next sample",
    ChangeBack "the change before",
    ChangeOn "the next change",
    First "the first sample",
    Newest "the newest sample",
    WhatIf "ask what if: another condition, tried on every sample",
    TakeWhatIf "take the call with this condition to the Bench",
    GoStop "the sample at which the wait would have stopped",
    Diff "show what changed since the sample before, or the sample alone",
    Waits "list the waits of this session",
    LookAt "look at the wait",
    PreviousWait "the wait that was started before",
    NextWait "the wait that was started next",
    Dismiss "dismiss the wait, once it has ended",
    Stop "stop the wait",
    Continue "go on with the same wait after its timeout, for another round",
    RunAgain "run the same wait afresh",
    EditOnBench "take the wait back to the Bench",
    OpenKept "load the saved wait on the Bench, or open the recording",
    RunKept "run the saved wait",
    Rename "give the saved file another name",
    Delete "delete the saved file; it can be brought back",
    Restore "bring back what was deleted last",
    Export "copy the saved file elsewhere",
    CopyPath "copy where the saved file lies",
    ConfirmName "take the name or the path that was typed",
    Copy "copy something of the wait; the next key says what",
    CopyOutput "copy the output that is shown, whole",
    CopyResult "copy the result of the wait, as JSON",
    CopyCommand "copy a command line that repeats the wait",
    CopyCall "copy the call, as an agent would make it",
    CopyRecording "copy the path of the wait's recording",
    Bell "ring when a wait ends, or be silent",
    Up "a line up",
    Down "a line down",
    PageUp "a page up",
    PageDown "a page down",
    Top "to the top",
    Bottom "to the bottom",
    Wrap "wrap long lines, or cut them at the edge",
    Aspect "look at the observation, the content blocks, or the raw result",
    Numbers "number the lines, or not",
    Zoom "give the focused pane the whole screen, or take it back",
    GoBench "to the Bench",
    GoWatch "to the Watch",
    GoLibrary "to the Library",
    Back "leave typing, close what lies on top, or step back; never quits",
    Yes "yes",
    No "no",
    TakeOffer "load the whole call that was pasted",
    DeclineOffer "insert what was pasted as it is",
    CloseLayer "close",
    Perform "do what is selected",
    Commands "find a command by its name, and do it",
    Help "show what the keys do here",
    Interrupt "stop what is in flight in view; with nothing in flight, twice quits",
    Quit "close what lies on top, or quit",
}

impl Action {
    /// Whether the operator would be stuck without it.
    #[must_use]
    pub fn is_needed(self) -> bool {
        matches!(
            self,
            Self::Quit
                | Self::Help
                | Self::Interrupt
                | Self::Yes
                | Self::No
                | Self::TakeOffer
                | Self::DeclineOffer
                | Self::CloseLayer
        )
    }
}

/// Where a key is pressed: what has the focus, and whether one types in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// The folded line of the chosen tool.
    ToolLine,
    /// The list of servers.
    ServerList,
    /// The list of tools.
    ToolList,
    /// The filter of a list, typed in.
    Filter,
    /// The line that adds a server, on top of everything, typed in.
    Adding,
    /// A field of one line, typed in.
    Line,
    /// The JSON editor, typed in.
    Editor,
    /// A field that has the focus and isn't typed in.
    Resting,
    /// A field of the arguments' form that has the focus and isn't typed in.
    Argument,
    /// A field of the arguments' form that isn't typed: one of several options, or an object.
    ArgumentChoice,
    /// One of several options.
    Choice,
    /// The line that unfolds the fields that few waits need.
    Fold,
    /// The output of the last try.
    Preview,
    /// The Watch.
    Watch,
    /// The Watch, with a recording.
    Replay,
    /// What is saved.
    LibraryList,
    /// The filter of what is saved, typed in.
    LibraryFilter,
    /// What is told of a saved file.
    LibraryText,
    /// The line with a name or a path for a saved file, on top of everything, typed in.
    Naming,
    /// A server's log, on top of a place.
    ServerLog,
    /// The messages of the protocol, on top of a place.
    Trace,
    /// A server's question, on top of everything.
    Asked,
    /// The answer to it, typed in.
    Answer,
    /// One of them, to be read.
    Message,
    /// The filter of a log or of a trace, typed in.
    JournalFilter,
    /// The list of waits, on top of everything.
    WaitList,
    /// The words that are looked for in a text, typed in.
    Search,
    /// The help, on top of everything.
    Help,
    /// A field of what if, typed in.
    WhatIf,
    /// One of several options of what if.
    WhatIfOption,
    /// A field of the dialog that saves, typed in.
    Saving,
    /// A line of options in it.
    SavingChoice,
    /// What is to be copied, on top of everything.
    Copy,
    /// The filter of the help, typed in.
    HelpFilter,
    /// The commands, on top of everything; their filter is typed in.
    Palette,
    /// A question, on top of everything.
    Question,
    /// The offer to load what was pasted, on top of everything.
    Offer,
}

impl Context {
    /// Every context.
    pub const ALL: [Self; 37] = [
        Self::ToolLine,
        Self::ServerList,
        Self::ToolList,
        Self::Filter,
        Self::Adding,
        Self::Line,
        Self::Editor,
        Self::Resting,
        Self::Argument,
        Self::ArgumentChoice,
        Self::Choice,
        Self::Fold,
        Self::Preview,
        Self::Watch,
        Self::Replay,
        Self::LibraryList,
        Self::LibraryFilter,
        Self::LibraryText,
        Self::Naming,
        Self::ServerLog,
        Self::Trace,
        Self::Asked,
        Self::Answer,
        Self::Message,
        Self::JournalFilter,
        Self::WaitList,
        Self::Search,
        Self::Help,
        Self::WhatIf,
        Self::WhatIfOption,
        Self::Saving,
        Self::SavingChoice,
        Self::Copy,
        Self::HelpFilter,
        Self::Palette,
        Self::Question,
        Self::Offer,
    ];

    /// Whether a character that is pressed is text.
    #[must_use]
    pub fn is_typing(self) -> bool {
        matches!(
            self,
            Self::Filter
                | Self::Adding
                | Self::Saving
                | Self::Line
                | Self::Editor
                | Self::Answer
                | Self::WhatIf
                | Self::LibraryFilter
                | Self::Naming
                | Self::Search
                | Self::JournalFilter
                | Self::HelpFilter
                | Self::Palette
        )
    }

    /// Whether a text is read there, which can be searched.
    #[must_use]
    pub fn is_reading(self) -> bool {
        matches!(
            self,
            Self::Preview | Self::Watch | Self::Replay | Self::LibraryText
        )
    }

    /// Whether a key that is pressed goes into the text, or moves in it.
    #[must_use]
    pub fn takes_as_text(self, key: Key) -> bool {
        let moves = match key.code {
            KeyCode::Left | KeyCode::Right | KeyCode::Home | KeyCode::End => true,
            KeyCode::Backspace | KeyCode::Delete => true,
            KeyCode::Enter | KeyCode::Up | KeyCode::Down => self == Self::Editor,
            _ => false,
        };
        self.is_typing() && (key.is_text() || moves)
    }

    /// What the help calls it.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::ToolLine => "Bench, the tool",
            Self::ServerList => "Bench, list of servers",
            Self::ToolList => "Bench, list of tools",
            Self::Filter => "typing in a filter",
            Self::Adding => "adding a server",
            Self::Line => "typing in a field",
            Self::Editor => "typing arguments",
            Self::Resting => "Bench, a field at rest",
            Self::Argument => "Bench, an argument at rest",
            Self::ArgumentChoice => "Bench, options of an argument",
            Self::Choice => "Bench, options",
            Self::Fold => "Bench, more fields",
            Self::Preview => "Bench, the preview",
            Self::Watch => "Watch",
            Self::Replay => "Watch, a recording",
            Self::LibraryList => "Library",
            Self::LibraryFilter => "typing in the filter of the Library",
            Self::LibraryText => "Library, the preview",
            Self::Naming => "naming a file",
            Self::ServerLog => "Server log",
            Self::Trace => "Protocol trace",
            Self::Asked => "what a server asks",
            Self::Answer => "typing an answer",
            Self::Message => "a message",
            Self::JournalFilter => "typing in the filter of a journal",
            Self::WaitList => "list of waits",
            Self::Search => "typing in a search",
            Self::Help => "Help",
            Self::WhatIf => "typing in what if",
            Self::WhatIfOption => "what if, options",
            Self::Saving => "typing in the dialog that saves",
            Self::SavingChoice => "options of the dialog that saves",
            Self::Copy => "copying",
            Self::HelpFilter => "typing in the filter of the help",
            Self::Palette => "Commands",
            Self::Question => "a question",
            Self::Offer => "a whole call",
        }
    }
}
