//! Which tools servers had when they were last asked, so that a tool alone can name its server.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;

use super::files::{Lock, write_whole};

/// The lists in one file: a JSON object from server to tool names. It is a memory only: a file that
/// can't be read is an empty one.
#[derive(Debug, Clone)]
pub struct RememberedTools {
    file: PathBuf,
}

impl RememberedTools {
    /// The lists in `file`, which need not exist.
    #[must_use]
    pub fn new(file: PathBuf) -> Self {
        Self { file }
    }

    /// The servers that had `tool`.
    #[must_use]
    pub fn servers_with(&self, tool: &str) -> Vec<String> {
        let lists = self.read();
        let having = lists
            .into_iter()
            .filter(|(_, tools)| tools.iter().any(|name| name == tool));
        having.map(|(server, _)| server).collect()
    }

    /// Remembers the tools of `server`.
    ///
    /// # Errors
    /// What the file system says.
    pub fn remember(&self, server: &str, tools: Vec<String>) -> io::Result<()> {
        let _lock = Lock::beside(&self.file)?;
        let mut lists = self.read();
        if lists.get(server) == Some(&tools) {
            return Ok(());
        }
        lists.insert(server.to_owned(), tools);
        write_whole(&self.file, &serde_json::to_string_pretty(&lists)?)
    }

    fn read(&self) -> BTreeMap<String, Vec<String>> {
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_newest_list_of_a_server_counts() {
        let folder = tempfile::tempdir().unwrap();
        let remembered = RememberedTools::new(folder.path().join("state/tools.json"));
        assert!(remembered.servers_with("a").is_empty());
        remembered
            .remember("one", vec!["a".to_owned(), "b".to_owned()])
            .unwrap();
        remembered.remember("two", vec!["a".to_owned()]).unwrap();
        assert_eq!(remembered.servers_with("a"), ["one", "two"]);
        remembered.remember("one", vec!["b".to_owned()]).unwrap();
        assert_eq!(remembered.servers_with("a"), ["two"]);
    }
}
