//! What the loop is told, and what it is asked to do: plain data, to be compared and printed.
//!
//! Owns the vocabulary between [`super::update`] and [`super::runtime`]. Must not know how an
//! effect is carried out.

mod parts;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyEvent;
use serde_json::{Map, Value};

use super::asking::Said;
use super::aspect::{Aspect, Source};
use super::assess::{Assessment, DraftText, Observed};
use super::document::{Highlights, Patterns};
use super::journal::{News, Part};
use super::json_tokens::JsonTokens;
use super::reading::Unfinished;
use super::rows::Rows;
use super::search::Found;
use super::what_if::{Findings, Question};
use super::why::Why;
use crate::app::{
    Batch, Connected, CopyOf, Kept, KeptWait, LibraryChange, LibraryChanged, LibraryList, Opened,
    Preview, RecordingNews, SaveLook, SaveRequest, SavedSpec, ServerRow, ServerStates, Tried,
};
use crate::mcp::Elicitation;
use crate::store::{SaveError, SpecPlace};
use crate::text::Difference;
use crate::wait::{Call, Ending, Event, Note, Until, WaitError};
pub use parts::{Copied, Id, ServerList};

/// Something happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    /// The time, since the screen was opened. It comes before whatever else is told.
    Tick {
        /// On a monotonic clock.
        now: Duration,
    },
    /// A key was pressed.
    Key(KeyEvent),
    /// Text was pasted.
    Paste(String),
    /// The terminal has a new size, or is back after it was suspended.
    Resize {
        /// Cells across.
        columns: u16,
        /// Cells down.
        rows: u16,
    },
    /// An [`Effect::Connect`] or an [`Effect::FollowTools`] came to its end.
    Connected {
        /// Of the effect.
        id: Id,
        /// The tools, or why there are none.
        result: Result<Connected, WaitError>,
    },
    /// A server's state has changed, whoever uses it.
    Standing {
        /// The states of all servers that were asked for.
        states: ServerStates,
    },
    /// A server asks the operator something, while it works on a call.
    Asked {
        /// Which question it is of this session.
        number: u64,
        /// The question.
        elicitation: Box<Elicitation>,
    },
    /// Nobody waits for the answer to a question any more.
    Withdrawn {
        /// Which question.
        number: u64,
    },
    /// An [`Effect::Answer`] came to its end.
    Answered {
        /// Which question.
        number: u64,
        /// Why the answer was not sent, if it was not.
        result: Result<(), String>,
    },
    /// An [`Effect::OpenEditor`] came to its end.
    Edited {
        /// The text as it is now, or why it is as it was.
        result: Result<String, String>,
    },
    /// An [`Effect::FollowJournal`] came to its end.
    Journal {
        /// Of the effect.
        id: Id,
        /// What is new.
        news: News,
    },
    /// An [`Effect::Resolve`] came to its end.
    Resolved {
        /// Of the effect.
        id: Id,
        /// The server, or why nobody can say.
        server: Result<String, WaitError>,
        /// The first fault of the call.
        fault: Option<String>,
    },
    /// An [`Effect::LookAtSaving`] came to its end.
    SaveLooked {
        /// Of the effect.
        id: Id,
        /// What saving would do.
        look: SaveLook,
    },
    /// An [`Effect::SaveSpec`] came to its end.
    SpecSaved {
        /// Of the effect.
        id: Id,
        /// What was saved, or why nothing was.
        result: Result<Box<SavedSpec>, SaveError>,
    },
    /// An [`Effect::Approve`] came to its end.
    Approved {
        /// Of the effect.
        id: Id,
        /// The servers as they are now, or why the answer could not be remembered.
        result: Result<Vec<ServerRow>, String>,
    },
    /// An [`Effect::AddServer`] came to its end.
    Added {
        /// Of the effect.
        id: Id,
        /// The server's name and the servers as they are now, or what to type instead.
        result: Result<(String, ServerList), String>,
    },
    /// An [`Effect::Discover`] came to its end.
    Discovered {
        /// Of the effect.
        id: Id,
        /// How many servers there are in other programs' files, and the servers as they are now; or
        /// why nobody can look.
        result: Result<(usize, ServerList), String>,
    },
    /// Something was said about the try in flight.
    TryNote {
        /// Of the effect.
        id: Id,
        /// What.
        note: Note,
    },
    /// An [`Effect::Try`] came to its end.
    Tried {
        /// Of the effect.
        id: Id,
        /// The observation, or why there is none.
        result: Result<Tried, WaitError>,
    },
    /// An [`Effect::Assess`] came to its end.
    Assessed {
        /// Of the effect.
        id: Id,
        /// What it found.
        assessment: Box<Assessment>,
    },
    /// An [`Effect::Highlight`] came to its end.
    Highlighted {
        /// Of the effect.
        id: Id,
        /// What it found.
        highlights: Highlights,
    },
    /// An [`Effect::Search`] came to its end.
    Searched {
        /// Of the effect.
        id: Id,
        /// What it found.
        found: Arc<Found>,
    },
    /// An [`Effect::Tokenise`] came to its end.
    Tokenised {
        /// Of the effect.
        id: Id,
        /// What it found; `None` where the text isn't JSON.
        tokens: Option<Arc<JsonTokens>>,
    },
    /// An [`Effect::ReadAspect`] came to its end.
    AspectRead {
        /// Of the effect.
        id: Id,
        /// Its text.
        text: Arc<str>,
    },
    /// An [`Effect::LayOut`] came to its end.
    LaidOut {
        /// Of the effect.
        id: Id,
        /// All rows of the text.
        rows: Arc<Rows>,
    },
    /// An [`Effect::Explain`] came to its end.
    Explained {
        /// Of the effect.
        id: Id,
        /// What it found, if anything is to be told.
        why: Option<Why>,
    },
    /// An [`Effect::Judge`] has found something out.
    Judged {
        /// Of the effect.
        id: Id,
        /// What.
        findings: Findings,
    },
    /// An [`Effect::Compare`] came to its end.
    Compared {
        /// Of the effect.
        id: Id,
        /// What it found.
        difference: Difference,
    },
    /// An [`Effect::Copy`] came to its end.
    Copied {
        /// What was copied, in a word or two.
        name: &'static str,
        /// Variables that stand in it for secrets.
        variables: Vec<String>,
        /// Where the text is, or why it is nowhere.
        result: Result<Copied, String>,
    },
    /// An [`Effect::ReadText`] came to its end.
    TextRead {
        /// Of the effect.
        id: Id,
        /// The text; `None` where it isn't in the recording.
        text: Option<Arc<str>>,
    },
    /// Something became of a wait's recording.
    Recording {
        /// Which wait.
        wait: Id,
        /// What.
        news: RecordingNews,
    },
    /// An [`Effect::ListLibrary`] came to its end.
    LibraryListed {
        /// Of the effect.
        id: Id,
        /// What is saved.
        list: LibraryList,
    },
    /// An [`Effect::ReadPreview`] came to its end.
    Previewed {
        /// Of the effect.
        id: Id,
        /// What is told of the file, or why it can't be read.
        preview: Result<Preview, String>,
    },
    /// An [`Effect::ReadKept`] came to its end.
    KeptRead {
        /// Of the effect.
        id: Id,
        /// The wait and the servers as they are now, or why there is none.
        result: Result<(KeptWait, ServerList), String>,
    },
    /// An [`Effect::OpenRecording`] came to its end.
    RecordingOpened {
        /// The new wait.
        wait: Id,
        /// The recording, or why it can't be opened.
        result: Result<Box<Opened>, String>,
    },
    /// An [`Effect::ReadRecording`] came to its end.
    RecordingRead {
        /// Which wait.
        wait: Id,
        /// What is new.
        batch: Batch,
    },
    /// An [`Effect::ChangeLibrary`] came to its end.
    LibraryChanged {
        /// Of the effect.
        id: Id,
        /// What became of it, or why nothing did.
        result: Result<LibraryChanged, String>,
    },
    /// A wait tells its story.
    Told {
        /// Which wait.
        wait: Id,
        /// What it tells.
        event: Event,
        /// Whether it is a sample that changed.
        changed: bool,
    },
    /// A wait ended.
    Ended {
        /// Which wait.
        wait: Id,
        /// How.
        ending: Ending,
    },
}

/// Something is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Connect to a server and list its tools.
    Connect {
        /// For the answer.
        id: Id,
        /// Its name.
        server: String,
        /// Whether a live connection is closed first.
        afresh: bool,
    },
    /// Wait until a connected server says that its tools have changed, and list them again.
    FollowTools {
        /// For the answer.
        id: Id,
        /// Its name.
        server: String,
        /// The number of changes that the list in view knows of; `None` lists at once.
        announced: Option<u64>,
    },
    /// Answer what a server asked, if the answer fits what it asked for.
    Answer {
        /// Which question.
        number: u64,
        /// What is said.
        said: Said,
        /// The fields, as JSON.
        text: String,
        /// What they must fit, where fields were asked for.
        schema: Box<Option<Value>>,
    },
    /// Wait until a part of a server's journal has something new, and read it.
    FollowJournal {
        /// For the answer.
        id: Id,
        /// Its name.
        server: String,
        /// Which part.
        part: Part,
        /// The number of the first entry that isn't known; `None` reads everything at once.
        from: Option<u64>,
        /// What an entry must contain, whatever its case; nothing leaves none out.
        filter: String,
    },
    /// Find out whose tool a call calls, and what is wrong with it.
    Resolve {
        /// For the answer.
        id: Id,
        /// The call, not yet checked.
        call: Box<Value>,
    },
    /// Find out what saving a wait would do.
    LookAtSaving {
        /// For the answer.
        id: Id,
        /// Whose tool it calls.
        server: String,
        /// Where it is to be.
        place: SpecPlace,
        /// What it is to be called.
        name: String,
    },
    /// Save a wait.
    SaveSpec {
        /// For the answer.
        id: Id,
        /// What, and how.
        request: Box<SaveRequest>,
    },
    /// Close a server's connection.
    Disconnect {
        /// Its name.
        server: String,
    },
    /// Remember that the operator trusts a server.
    Approve {
        /// For the answer.
        id: Id,
        /// Its name.
        server: String,
        /// Of the entry that was shown.
        fingerprint: String,
    },
    /// Add a server for this session.
    AddServer {
        /// For the answer.
        id: Id,
        /// A command line or an address.
        line: String,
    },
    /// Look for servers in other programs' files.
    Discover {
        /// For the answer.
        id: Id,
    },
    /// Call a tool once.
    Try {
        /// For the answer.
        id: Id,
        /// Whose tool.
        server: String,
        /// Which.
        tool: String,
        /// With what.
        args: Map<String, Value>,
    },
    /// Stop the effect that carries this id.
    Abandon {
        /// Of the effect.
        id: Id,
    },
    /// Judge the Bench: can it be run, and what would the newest try mean?
    Assess {
        /// For the answer.
        id: Id,
        /// What is written on the Bench.
        draft: Box<DraftText>,
        /// The schema of the tool's arguments, where it is known.
        schema: Option<Arc<Value>>,
        /// The newest try.
        observed: Option<Observed>,
    },
    /// Find what a call's patterns match in a text.
    Highlight {
        /// For the answer.
        id: Id,
        /// The text.
        text: Arc<str>,
        /// What is looked for.
        patterns: Box<Patterns>,
    },
    /// Look for words in a text.
    Search {
        /// For the answer.
        id: Id,
        /// The text.
        text: Arc<str>,
        /// The words, as they are typed.
        words: String,
    },
    /// Find the tokens of a text that may be JSON.
    Tokenise {
        /// For the answer.
        id: Id,
        /// The text.
        text: Arc<str>,
    },
    /// Bring another aspect of a result than the observation.
    ReadAspect {
        /// For the answer.
        id: Id,
        /// Which.
        aspect: Aspect,
        /// Of what.
        source: Source,
    },
    /// Find where the rows of a long text begin and end.
    LayOut {
        /// For the answer.
        id: Id,
        /// The text, and how it is wrapped.
        unfinished: Unfinished,
    },
    /// Find out why a condition doesn't hold for a text.
    Explain {
        /// For the answer.
        id: Id,
        /// The condition.
        until: Until,
        /// The text.
        text: Arc<str>,
    },
    /// Judge the samples of a wait by another condition, until it is abandoned.
    Judge(Box<Question>),
    /// Judge what the wait has told since.
    JudgeMore {
        /// Of the effect that judges.
        id: Id,
        /// What it has told.
        event: Box<Event>,
    },
    /// Find out how two texts differ.
    Compare {
        /// For the answer.
        id: Id,
        /// The older text, and the newer.
        texts: [Arc<str>; 2],
    },
    /// Read the text of a sample from the recording of its wait.
    ReadText {
        /// For the answer.
        id: Id,
        /// Which wait.
        wait: Id,
        /// Which sample.
        sample: u64,
    },
    /// List what is saved.
    ListLibrary {
        /// For the answer.
        id: Id,
    },
    /// Read what is told of a saved file.
    ReadPreview {
        /// For the answer.
        id: Id,
        /// What it is.
        kind: Kept,
        /// Where it lies.
        path: PathBuf,
    },
    /// Read a saved wait, or the wait of a recording, to bring it to the Bench.
    ReadKept {
        /// For the answer.
        id: Id,
        /// What it is.
        kind: Kept,
        /// Where it lies.
        path: PathBuf,
    },
    /// Open a recording, to be read.
    OpenRecording {
        /// The new wait.
        wait: Id,
        /// Where it lies.
        path: PathBuf,
    },
    /// Read on in a recording, once there is more of it.
    ReadRecording {
        /// Which wait.
        wait: Id,
    },
    /// Change what is saved.
    ChangeLibrary {
        /// For the answer.
        id: Id,
        /// How.
        change: LibraryChange,
    },
    /// Keep what is written for a tool on disk.
    KeepDraft {
        /// Whose tool.
        server: String,
        /// Which.
        tool: String,
        /// The draft; `None` where it is as it began, and is forgotten.
        draft: Option<Value>,
    },
    /// Start a wait.
    StartWait {
        /// The new wait.
        wait: Id,
        /// Whose tool.
        server: String,
        /// The call.
        call: Box<Call>,
        /// The name of the saved wait that it began as, where it did.
        name: Option<String>,
        /// Budgets that may follow one another.
        rounds: u32,
    },
    /// Run the next round of a wait that ended.
    ContinueWait {
        /// Which.
        wait: Id,
    },
    /// Stop a wait.
    StopWait {
        /// Which.
        wait: Id,
    },
    /// Forget a wait that ended.
    ForgetWait {
        /// Which.
        wait: Id,
    },
    /// Give the terminal to the operator's editor, with a text to edit.
    OpenEditor {
        /// The text.
        text: String,
    },
    /// Bring a text to the operator's clipboard.
    Copy(CopyOf),
    /// Ask the terminal to take a text into its clipboard.
    SetClipboard {
        /// The text in base64.
        encoded: String,
    },
    /// Ring the bell.
    Ring,
    /// Give the terminal back and stop, until the shell says otherwise.
    Suspend,
    /// End everything and leave.
    Quit,
}
