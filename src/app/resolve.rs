//! Which server a tool without one means.

use super::Servers;
use super::servers::near;
use crate::mcp::{DEMO, Source, demo};
use crate::wait::WaitError;

impl Servers {
    /// The server that was named; else the only one of the command line; else the one that the spec
    /// brings along; else the only one that is configured, the demo aside; else the only one known
    /// to have `tool`.
    ///
    /// # Errors
    /// `server_ambiguous`, with the candidates.
    pub fn resolve(&self, named: Option<&str>, tool: Option<&str>) -> Result<String, WaitError> {
        if let Some(name) = named {
            return Ok(name.to_owned());
        }
        let names = |wanted: &dyn Fn(&Source) -> bool| -> Vec<String> {
            let usable = self.usable().into_iter();
            let wanted = usable.filter(|entry| wanted(&entry.source));
            wanted.map(|entry| entry.name).collect()
        };
        let given = names(&|source| matches!(source, Source::CommandLine | Source::Added));
        let of_spec: Vec<String> = self.of_spec().map(str::to_owned).into_iter().collect();
        // Other programs' servers, and those of specs that were opened, are there to be chosen, not to
        // be meant.
        let of_specs = names(&|source| matches!(source, Source::Spec(_)));
        let unnamed = |source: &Source| {
            matches!(
                source,
                Source::BuiltIn | Source::Program { .. } | Source::Spec(_)
            )
        };
        let configured = names(&|source| !unnamed(source));
        for candidates in [&given, &of_spec, &configured] {
            if let [only] = &candidates[..] {
                return Ok(only.clone());
            }
        }
        let mut having = tool.map(|tool| self.servers_with(tool)).unwrap_or_default();
        having.retain(|name| !of_specs.contains(name));
        match (&having[..], tool) {
            ([only], _) => Ok(only.clone()),
            // Nothing else is there to be asked for its tools.
            ([], None) if configured.is_empty() => Ok(DEMO.to_owned()),
            // A slip in the name of a tool of the demo's is the demo's to point out.
            ([], Some(tool))
                if configured.is_empty() && !near(tool, &demo::tool_names()).is_empty() =>
            {
                Ok(DEMO.to_owned())
            }
            // The demo has no such tool: what is missing is a server.
            ([], Some(_)) if configured.is_empty() => Err(WaitError::ServerAmbiguous {
                candidates: Vec::new(),
            }),
            ([], _) => Err(WaitError::ServerAmbiguous {
                candidates: with_demo(configured),
            }),
            (_, _) => Err(WaitError::ServerAmbiguous { candidates: having }),
        }
    }
}

fn with_demo(mut names: Vec<String>) -> Vec<String> {
    names.push(DEMO.to_owned());
    names
}
