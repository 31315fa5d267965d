//! Which tools may be probed: those that say that they only read, and those that the operator
//! allowed. Never stakeout's own.

use globset::{Glob, GlobMatcher};

use crate::app::Candidate;
use crate::mcp::Tool;

/// The name by which `serve` introduces itself, and recognises itself behind another server.
pub const SOFTWARE: &str = "stakeout";

/// What the operator allowed beside the tools that only read.
#[derive(Debug, Clone, Default)]
pub struct AllowList(Vec<Allowed>);

/// One `--allow`. The name of a server and that of a tool are matched apart, so that a `*` for one
/// never takes in the other; within its own name it stands for anything, `/` too.
#[derive(Debug, Clone)]
struct Allowed {
    server: GlobMatcher,
    tool: GlobMatcher,
}

impl AllowList {
    /// The list in globs of the form `SERVER/TOOL`, parted at the first slash.
    ///
    /// # Errors
    /// A sentence about the first that can't be used.
    pub fn parse(globs: &[String]) -> Result<Self, String> {
        let parse = |glob: &String| {
            let Some((server, tool)) = glob.split_once('/') else {
                return Err(format!(
                    "--allow {glob:?} names no tool; write it as SERVER/TOOL, such as 'ci/get_*'"
                ));
            };
            let matcher = |part: &str| match Glob::new(part) {
                Ok(part) => Ok(part.compile_matcher()),
                Err(error) => {
                    let cause = error.kind();
                    Err(format!("--allow {glob:?} is no valid pattern: {cause}"))
                }
            };
            Ok(Allowed {
                server: matcher(server)?,
                tool: matcher(tool)?,
            })
        };
        globs.iter().map(parse).collect::<Result<_, _>>().map(Self)
    }

    /// Whether nothing is allowed beside the tools that only read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Says why a tool may not be probed, if it may not.
    ///
    /// # Errors
    /// The reason, as the end of a sentence.
    pub fn check(&self, candidate: Candidate<'_>) -> Result<(), String> {
        let Candidate { server, tool, .. } = candidate;
        if is_stakeout(candidate) {
            return Err("it is stakeout itself, and a wait can't wait for another".to_owned());
        }
        if tool.read_only == Some(true) || self.names(server, tool) {
            return Ok(());
        }
        let says = match tool.read_only {
            Some(_) => "it says that it changes things",
            None => "it doesn't say that it only reads (readOnlyHint)",
        };
        // The first slash ends the server's name, so one within it is written as any character.
        let server = globset::escape(server).replace('/', "?");
        let glob = format!("{server}/{}", globset::escape(&tool.name));
        Err(format!(
            "{says}; whoever runs stakeout can allow it with --allow {}",
            quoted(&glob)
        ))
    }

    fn names(&self, server: &str, tool: &Tool) -> bool {
        let mut allowed = self.0.iter();
        allowed.any(|one| one.server.is_match(server) && one.tool.is_match(&tool.name))
    }
}

/// The glob as a shell takes it.
fn quoted(glob: &str) -> String {
    match shlex::try_quote(glob) {
        Ok(quoted) if quoted == glob => format!("'{glob}'"),
        Ok(quoted) => quoted.into_owned(),
        Err(_) => glob.to_owned(),
    }
}

fn is_stakeout(candidate: Candidate<'_>) -> bool {
    let name = candidate
        .software
        .and_then(|software| software.split(' ').next());
    name == Some(SOFTWARE)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::{Value, json};

    use super::*;

    fn tool(name: &str, read_only: Option<bool>) -> Tool {
        Tool {
            name: name.to_owned(),
            title: None,
            description: None,
            input_schema: json!({}),
            output_schema: None,
            read_only,
            destructive: None,
            raw: Value::Null,
        }
    }

    fn check(globs: &[&str], server: &str, name: &str, read_only: Option<bool>) -> bool {
        let globs: Vec<String> = globs.iter().map(|glob| (*glob).to_owned()).collect();
        let tool = tool(name, read_only);
        let candidate = Candidate {
            server,
            software: Some("other 1.0"),
            tool: &tool,
        };
        AllowList::parse(&globs).unwrap().check(candidate).is_ok()
    }

    #[test]
    fn only_a_tool_that_says_it_reads_is_allowed_by_itself() {
        assert!(check(&[], "ci", "get_run", Some(true)));
        assert!(!check(&[], "ci", "get_run", None));
        assert!(!check(&[], "ci", "get_run", Some(false)));
    }

    #[test]
    fn a_glob_allows_what_it_names_and_nothing_else() {
        for (glob, server, name, allowed) in [
            ("ci/get_run", "ci", "get_run", true),
            ("ci/get_run", "ci", "get_runs", false),
            ("ci/get_run", "cd", "get_run", false),
            ("ci/get_*", "ci", "get_run", true),
            ("ci/get_*", "ci", "delete_run", false),
            ("*/get_run", "cd", "get_run", true),
            // A star for the server takes in no part of the tool's name.
            ("*/status", "ci", "job/status", false),
            ("ci/*", "ci", "job/status", true),
            ("ci/job/*", "ci", "job/status", true),
            ("c?/{get,list}_run", "ci", "list_run", true),
            ("CI/get_run", "ci", "get_run", false),
        ] {
            assert_eq!(
                check(&[glob], server, name, None),
                allowed,
                "{glob} {server}/{name}"
            );
        }
        assert!(check(&["no/thing", "ci/*"], "ci", "x", Some(false)));
    }

    #[test]
    fn the_hint_names_a_glob_that_allows_just_this_tool() {
        for (server, name, other) in [
            ("ci", "odd[1]*", "odd1x"),
            ("team/ci", "get_run", "get_runs"),
            ("it's", "a b/c", "a b/d"),
        ] {
            let tool = tool(name, None);
            let candidate = Candidate {
                server,
                software: None,
                tool: &tool,
            };
            let reason = AllowList::default().check(candidate).unwrap_err();
            let (_, hint) = reason.split_once("--allow ").unwrap();
            let hint = &shlex::split(hint).unwrap()[0];
            assert!(check(&[hint], server, name, None), "{hint}");
            assert!(!check(&[hint], server, other, None), "{hint}");
        }
    }

    #[test]
    fn stakeout_itself_is_never_allowed() {
        let tool = tool("wait_for", Some(true));
        let everything = AllowList::parse(&["*/*".to_owned()]).unwrap();
        for (software, allowed) in [
            (Some("stakeout 0.1.0"), false),
            (Some("stakeout-demo 0.1.0"), true),
            (None, true),
        ] {
            let candidate = Candidate {
                server: "me",
                software,
                tool: &tool,
            };
            assert_eq!(everything.check(candidate).is_ok(), allowed, "{software:?}");
        }
    }

    #[test]
    fn an_allow_that_can_not_be_used_says_how_to_write_it() {
        let parse = |glob: &str| AllowList::parse(&[glob.to_owned()]).unwrap_err();
        assert!(parse("get_run").contains("SERVER/TOOL"));
        assert!(parse("ci/[a").contains("--allow \"ci/[a\""));
    }
}
