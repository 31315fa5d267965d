//! Which server a tool without one means.

use super::Servers;
use crate::mcp::{DEMO, Source};
use crate::wait::WaitError;

impl Servers {
    /// The server that was named; else the only one of the command line; else the only one that is
    /// configured, the demo aside; else the only one known to have `tool`.
    ///
    /// # Errors
    /// `server_ambiguous`, with the candidates.
    pub fn resolve(&self, named: Option<&str>, tool: Option<&str>) -> Result<String, WaitError> {
        if let Some(name) = named {
            return Ok(name.to_owned());
        }
        let given = |source: &Source| matches!(source, Source::CommandLine | Source::Spec(_));
        let names = |wanted: &dyn Fn(&Source) -> bool| -> Vec<String> {
            let wanted = self.usable().filter(|entry| wanted(&entry.source));
            wanted.map(|entry| entry.name.clone()).collect()
        };
        let configured = names(&|source| *source != Source::BuiltIn);
        for candidates in [names(&given), configured.clone()] {
            if let [only] = &candidates[..] {
                return Ok(only.clone());
            }
        }
        match tool {
            Some(tool) => {
                let having = self.servers_with(tool);
                if let [only] = &having[..] {
                    return Ok(only.clone());
                }
                let candidates = if having.is_empty() { with_demo(configured) } else { having };
                Err(WaitError::ServerAmbiguous { candidates })
            }
            None if configured.is_empty() => Ok(DEMO.to_owned()),
            None => Err(WaitError::ServerAmbiguous { candidates: with_demo(configured) }),
        }
    }
}

fn with_demo(mut names: Vec<String>) -> Vec<String> {
    names.push(DEMO.to_owned());
    names
}
