//! The Bench: where a wait is built and tried.
//!
//! Owns the servers and tools to choose from, the draft, the focus, and the newest try. Must not
//! know how any of it is drawn or fetched.

mod arguments;
mod drafts;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::Rect;
use serde_json::{Map, Value};

use super::arguments::is_typed_at_once;
use super::aspect::{Aspect, Source};
use super::assess::{Assessment, Observed};
use super::document::{Document, Highlights};
use super::draft::{Draft, Input};
pub use drafts::DraftKey;

pub use super::focus::{Focus, Pane};
use super::form::Form;
use super::in_flight::InFlight;
use super::keys::Context;
use super::message::Id;
use super::picker::Picker;
use super::reading::Reading;
use super::saved::Saved;
use super::standing::Standings;
use super::why::Fixes;
use crate::app::ServerRow;
use crate::mcp::Tool;
use crate::text;

/// The connection to the server whose tools are listed.
#[derive(Debug, Clone, PartialEq)]
pub enum Link {
    /// None, and nothing is under way.
    Idle,
    /// Being made.
    Connecting {
        /// Of the effect.
        id: Id,
        /// Since when.
        since: Duration,
    },
    /// Made.
    Ready {
        /// The protocol version in use.
        protocol: String,
        /// What was odd about the tool list.
        warnings: Vec<String>,
        /// The effect that waits for changes of the tools.
        following: Id,
    },
    /// Not made, and why.
    Failed(String),
}

/// The tool that is on the Bench.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// Whose tool; empty as long as nobody has said.
    pub server: String,
    /// Its name.
    pub tool: String,
    /// What it does.
    pub description: String,
    /// The schema of its arguments, once the server has told it.
    pub schema: Option<Arc<Value>>,
    /// Whether it says that it destroys; `None` until the server has listed it.
    pub destructive: Option<bool>,
}

impl Target {
    /// A tool of which nothing but its name is known. What the demo plays destroys nothing.
    #[must_use]
    pub fn unlisted(server: &str, tool: &str) -> Self {
        Self {
            server: server.to_owned(),
            tool: tool.to_owned(),
            description: String::new(),
            schema: None,
            destructive: (server == crate::mcp::DEMO).then_some(false),
        }
    }
}

/// The newest try.
#[derive(Debug, Clone, Default)]
pub struct Attempt {
    /// How many were made of this tool.
    pub count: u64,
    /// Which of them was the last to be answered.
    pub answered: u64,
    /// The one in flight: its id, since when, and what was last said about it.
    pub in_flight: Option<(Id, Duration, InFlight)>,
    /// What the last one was called with.
    pub args: Option<Map<String, Value>>,
    /// What the last one brought.
    pub observed: Option<Observed>,
    /// How long it took.
    pub latency: Duration,
    /// What the server sent.
    pub raw: Option<Arc<Value>>,
    /// Why the last one brought nothing.
    pub failure: Option<String>,
    /// The observation or the failure, to be read.
    pub text: Option<Arc<str>>,
}

/// What is done as soon as the Bench is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// Run the wait.
    Run,
    /// Call the tool once.
    Try,
    /// Take the pattern that is offered.
    FixPattern,
    /// Save the wait.
    Save,
}

/// The Bench.
#[derive(Debug, Clone)]
pub struct Bench {
    /// The servers, most specific first.
    pub servers: Vec<ServerRow>,
    /// What is wrong with the files that configure them, a sentence each.
    pub problems: Vec<String>,
    /// Which of them is selected.
    pub server_picker: Picker,
    /// The server whose tools are listed.
    pub listed: Option<String>,
    /// The connection to it.
    pub link: Link,
    /// How the servers stand, by name.
    pub standings: Standings,
    /// Why there is no connection, to be scrolled, and the width that it is broken for.
    pub failure: Option<(usize, Document)>,
    /// Its tools.
    pub tools: Vec<Tool>,
    /// Which of them is selected.
    pub tool_picker: Picker,
    /// Whether the lists are open where they don't fit beside the rest.
    pub picking: bool,
    /// Whether the filter of the focused list is typed in.
    pub filtering: bool,
    /// What has the focus.
    pub focus: Focus,
    /// Whether the focused text field is typed in.
    pub typing: bool,
    /// Whether the fields that few waits need are shown.
    pub more: bool,
    /// The tool.
    pub target: Option<Target>,
    /// The call.
    pub draft: Draft,
    /// Drafts of other tools, by server and tool.
    pub kept: HashMap<DraftKey, Draft>,
    /// Drafts that are to be kept on disk; those that are as they began, to be forgotten.
    pub unsaved: Vec<(DraftKey, Option<Value>)>,
    /// The saved wait that was loaded or saved last.
    pub saved: Option<Arc<Saved>>,
    /// What was written when the draft was begun afresh.
    pub set_aside: Option<Draft>,
    /// Whether arguments are wanted as JSON, also where there is a form.
    pub as_json: bool,
    /// The first visible line of the arguments.
    pub args_top: usize,
    /// The newest try.
    pub attempt: Attempt,
    /// What it brought, as it is read.
    pub preview: Reading,
    /// Whether something changed that is not judged yet.
    pub stale: bool,
    /// The judging that is under way.
    pub judging: Option<Id>,
    /// What the last judging said.
    pub assessment: Assessment,
    /// What is done once everything is judged.
    pub intent: Option<Intent>,
    /// What is done once the tools are listed, unless another key is pressed before.
    pub held: Option<Intent>,
    /// The patterns that were last taken from.
    pub fixes: Option<Fixes>,
}

impl Bench {
    /// A Bench with the demo's rollout on it, or with the tools of the server that the command line
    /// gave to choose from; nothing connected.
    #[must_use]
    pub fn new(servers: Vec<ServerRow>, problems: &[String]) -> Self {
        let names = servers.iter().map(|server| server.name.clone()).collect();
        let demo = |server: &ServerRow| server.name == crate::mcp::DEMO;
        let given = servers.iter().position(|server| server.given);
        let chosen = given.or_else(|| servers.iter().position(demo));
        let mut bench = Self {
            servers,
            problems: problems.to_vec(),
            server_picker: Picker::new(names),
            listed: None,
            link: Link::Idle,
            standings: Standings::default(),
            failure: None,
            tools: Vec::new(),
            tool_picker: Picker::new(Vec::new()),
            picking: false,
            filtering: false,
            focus: Focus::Tools,
            typing: false,
            more: false,
            target: None,
            draft: Draft::new(&Map::new()),
            kept: HashMap::new(),
            unsaved: Vec::new(),
            saved: None,
            set_aside: None,
            as_json: false,
            args_top: 0,
            attempt: Attempt::default(),
            preview: Reading::default(),
            stale: true,
            judging: None,
            assessment: Assessment::default(),
            intent: None,
            held: None,
            fixes: None,
        };
        bench.server_picker.select(chosen);
        if given.is_some() {
            bench.picking = true;
        } else {
            bench.aim(Target {
                description: "a simulated rollout, as a table".to_owned(),
                ..Target::unlisted(crate::mcp::DEMO, crate::mcp::demo::FIRST_TOOL)
            });
        }
        bench
    }

    /// The target as the tools that are listed describe it.
    #[must_use]
    pub fn target_of(&self, tool: &Tool) -> Target {
        Target {
            server: self.listed.clone().unwrap_or_default(),
            tool: tool.name.clone(),
            description: about(tool),
            schema: Some(Arc::new(tool.input_schema.clone())),
            destructive: Some(tool.destructive == Some(true)),
        }
    }

    /// What has the focus among what can have it, in the order of `Tab`. `lists` says whether the
    /// list of servers is on the screen.
    #[must_use]
    pub fn stops(&self, lists: bool) -> Vec<Focus> {
        let mut stops = Vec::new();
        if lists {
            stops.push(Focus::Servers);
        }
        stops.push(Focus::Tools);
        match self.draft.arguments().form() {
            Some(form) => stops.extend((0..form.rows().len()).map(Focus::Argument)),
            None => stops.push(Focus::Text(Input::Arguments)),
        }
        stops.extend([
            Focus::Kind,
            Focus::Text(self.draft.condition()),
            Focus::Text(Input::Poll),
            Focus::Text(Input::MaxWait),
            Focus::More,
        ]);
        if self.more {
            stops.extend([
                Focus::Text(Input::FailWhen),
                Focus::Text(Input::Ignore),
                Focus::ToolErrors,
                Focus::Text(Input::RetryErrors),
                Focus::Text(Input::ProbeTimeout),
                Focus::Text(Input::Rounds),
            ]);
        }
        stops.push(Focus::Preview);
        stops
    }

    /// Gives `focus` the focus. A text field is typed in at once, unless it has lines of its own
    /// and others beside it.
    pub fn set_focus(&mut self, focus: Focus) {
        self.focus = focus;
        self.typing = match focus {
            Focus::Text(_) => true,
            Focus::Argument(row) => self.argument(row).is_some_and(is_typed_at_once),
            _ => false,
        };
        self.filtering = false;
        if focus.pane() != Pane::Tool {
            self.picking = false;
        }
    }

    /// Gives `focus` the focus, and types nowhere.
    pub fn rest_on(&mut self, focus: Focus) {
        self.set_focus(focus);
        self.typing = false;
    }

    /// Types nowhere any more; what has the focus keeps it.
    pub fn rest(&mut self) {
        self.typing = false;
        self.filtering = false;
    }

    /// What the focused list has to be asked first, since it points elsewhere than the Bench does:
    /// a key that acts on the tool of the Bench would act on another than the highlighted one.
    #[must_use]
    pub fn points_elsewhere(&self) -> Option<String> {
        let target = self.target.as_ref().filter(|own| !own.server.is_empty())?;
        match self.focus {
            Focus::Servers => {
                let server = self.selected_server()?;
                (server.name != target.server).then(|| {
                    format!(
                        "Enter connects to {} first",
                        text::one_line(&server.name, 40)
                    )
                })
            }
            Focus::Tools => {
                let Some(tool) = self.selected_tool() else {
                    let own = self.listed.as_ref() == Some(&target.server);
                    return (!own).then(|| "choose a tool of this server first".to_owned());
                };
                (!self.is_target(tool))
                    .then(|| format!("Enter chooses {} first", text::one_line(&tool.name, 40)))
            }
            _ => None,
        }
    }

    /// Whether a tool of the listed server is the one on the Bench.
    #[must_use]
    pub fn is_target(&self, tool: &Tool) -> bool {
        let target = self.target.as_ref();
        target.is_some_and(|own| own.tool == tool.name && self.listed.as_ref() == Some(&own.server))
    }

    /// Where keys are pressed. `lists` says whether the lists are on the screen.
    #[must_use]
    pub fn context(&self, lists: bool) -> Context {
        match self.focus {
            _ if self.filtering => Context::Filter,
            Focus::Servers => Context::ServerList,
            Focus::Tools if lists => Context::ToolList,
            Focus::Tools => Context::ToolLine,
            Focus::Text(Input::Arguments) if self.typing => Context::Editor,
            Focus::Text(_) if self.typing => Context::Line,
            Focus::Text(_) => Context::Resting,
            Focus::Argument(row) => self.argument_context(row),
            Focus::Kind | Focus::ToolErrors => Context::Choice,
            Focus::More => Context::Fold,
            Focus::Preview => Context::Preview,
        }
    }

    /// The fields of the condition and of the budget.
    #[must_use]
    pub fn form(&self) -> Form<'_> {
        Form {
            draft: &self.draft,
            assessment: &self.assessment,
            focus: self.focus,
            typing: self.typing,
            more: self.more,
        }
    }

    /// The list that has the focus.
    pub fn focused_picker(&mut self) -> Option<&mut Picker> {
        match self.focus {
            Focus::Servers => Some(&mut self.server_picker),
            Focus::Tools => Some(&mut self.tool_picker),
            _ => None,
        }
    }

    /// Whether the filter of the focused list leaves one item.
    #[must_use]
    pub fn one_left(&self) -> bool {
        let picker = match self.focus {
            Focus::Servers => &self.server_picker,
            _ => &self.tool_picker,
        };
        picker.hits().len() == 1
    }

    /// The server that is selected in the list.
    #[must_use]
    pub fn selected_server(&self) -> Option<&ServerRow> {
        self.server_picker
            .selected()
            .and_then(|index| self.servers.get(index))
    }

    /// The tool that is selected in the list.
    #[must_use]
    pub fn selected_tool(&self) -> Option<&Tool> {
        self.tool_picker
            .selected()
            .and_then(|index| self.tools.get(index))
    }

    /// Takes the servers as they are now.
    pub fn set_servers(&mut self, servers: Vec<ServerRow>) {
        self.server_picker
            .replace(servers.iter().map(|server| server.name.clone()).collect());
        self.servers = servers;
    }

    /// Takes the tools of the listed server. A tool on the Bench that nobody has said whose it is
    /// becomes this server's, where it has it.
    pub fn set_tools(&mut self, tools: Vec<Tool>) {
        let first = self.tools.is_empty();
        self.tool_picker
            .replace(tools.iter().map(|tool| tool.name.clone()).collect());
        self.tools = tools;
        let Some(target) = &self.target else { return };
        if !target.server.is_empty() && self.listed.as_ref() != Some(&target.server) {
            return;
        }
        if let Some(index) = self.tools.iter().position(|tool| tool.name == target.tool) {
            if first {
                self.tool_picker.select(Some(index));
            }
            self.target = self.tools.get(index).map(|tool| self.target_of(tool));
            self.stale = true;
        }
    }

    /// The observation of the newest try, where that is what is looked at.
    #[must_use]
    pub fn observation(&self) -> Option<&Arc<str>> {
        let observed = self.attempt.observed.as_ref();
        let observed = observed.filter(|_| self.preview.aspect == Aspect::Observation);
        observed.map(|observed| &observed.text)
    }

    /// The text that is looked at, whole.
    #[must_use]
    pub fn text_in_view(&self) -> Option<Arc<str>> {
        let document = self.preview.document.as_ref();
        let other = document.filter(|_| self.aspect_source().is_some());
        let other = other.map(|document| Arc::clone(document.text()));
        other.or_else(|| self.attempt.text.clone())
    }

    /// What the aspect that is looked at is taken from, and of which try.
    #[must_use]
    pub fn aspect_source(&self) -> Option<(u64, Source)> {
        let (observed, raw) = (self.attempt.observed.as_ref()?, self.attempt.raw.as_ref()?);
        let source = match self.preview.aspect {
            Aspect::Observation => return None,
            Aspect::FinalState => Source::Observation(Arc::clone(&observed.text)),
            Aspect::Blocks | Aspect::Raw => Source::Result(Arc::clone(raw)),
        };
        Some((self.attempt.answered, source))
    }

    /// Sees to it that the newest try is read, in that many columns and rows.
    pub fn show_try(&mut self, columns: usize, height: usize) {
        let Some(own) = self.attempt.text.clone() else {
            return;
        };
        let text = match self.aspect_source() {
            Some((number, _)) => self.preview.aspect_or_before(number).unwrap_or(own),
            None => own,
        };
        self.preview.show(&text, columns, height);
        let coloured = self.attempt.raw.as_ref().map(|_| &text);
        self.preview.colour(coloured);
    }

    /// What the condition matches in the observation that is looked at.
    #[must_use]
    pub fn highlights(&self) -> Option<&Highlights> {
        self.observation().map(|_| &self.assessment.highlights)
    }

    /// Sees to it that the reason of a failed connection can be scrolled in `area`.
    pub fn settle_failure(&mut self, area: Rect) {
        let Link::Failed(why) = &self.link else {
            self.failure = None;
            return;
        };
        let width = usize::from(area.width.max(1));
        let known = self.failure.as_ref().is_some_and(|(own, _)| *own == width);
        if !known {
            let lines = super::form::paragraph(why, width).join("\n");
            self.failure = Some((width, Document::new(lines.into(), None)));
        }
        if let Some((_, document)) = &mut self.failure {
            document.settle(usize::from(area.height));
        }
    }
}

/// What a tool does, in its own words; else what it calls itself.
#[must_use]
pub fn about(tool: &Tool) -> String {
    tool.description
        .clone()
        .or_else(|| tool.title.clone())
        .unwrap_or_default()
}
