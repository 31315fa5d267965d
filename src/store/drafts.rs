//! What was written for each tool, so that it is there again at the next start.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::files::{Lock, write_whole};

/// Drafts that are kept; beyond that, the oldest are dropped.
const MOST: usize = 200;
/// Bytes of all of them.
const MOST_BYTES: usize = 1024 * 1024;

/// The drafts in one file, the newest last. It is a memory only: a file that can't be read is an
/// empty one.
#[derive(Debug, Clone)]
pub struct Drafts {
    file: PathBuf,
}

/// A draft of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptDraft {
    /// Whose tool.
    pub server: String,
    /// Its name.
    pub tool: String,
    /// What was written, as whoever wrote it takes it.
    pub draft: Value,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Contents {
    drafts: Vec<KeptDraft>,
}

impl Drafts {
    /// The drafts in `file`, which need not exist.
    #[must_use]
    pub fn new(file: PathBuf) -> Self {
        Self { file }
    }

    /// Every draft, the newest last.
    #[must_use]
    pub fn all(&self) -> Vec<KeptDraft> {
        let text = std::fs::read_to_string(&self.file).unwrap_or_default();
        let contents: Contents = serde_json::from_str(&text).unwrap_or_default();
        contents.drafts
    }

    /// Keeps the draft of a tool, or forgets it. Those that another process kept meanwhile stay.
    ///
    /// # Errors
    /// What the file system says.
    pub fn keep(&self, server: &str, tool: &str, draft: Option<Value>) -> io::Result<()> {
        let own = |kept: &&KeptDraft| kept.server == server && kept.tool == tool;
        if self.all().iter().find(own).map(|kept| &kept.draft) == draft.as_ref() {
            return Ok(());
        }
        let _lock = Lock::beside(&self.file)?;
        let mut drafts = self.all();
        drafts.retain(|kept| !own(&kept));
        drafts.extend(draft.map(|draft| KeptDraft {
            server: server.to_owned(),
            tool: tool.to_owned(),
            draft,
        }));
        let mut contents = Contents { drafts };
        contents
            .drafts
            .drain(..contents.drafts.len().saturating_sub(MOST));
        let mut text = serde_json::to_string_pretty(&contents)?;
        while text.len() > MOST_BYTES && !contents.drafts.is_empty() {
            contents.drafts.remove(0);
            text = serde_json::to_string_pretty(&contents)?;
        }
        write_whole(&self.file, &text)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    fn names(drafts: &Drafts) -> Vec<String> {
        drafts.all().into_iter().map(|kept| kept.tool).collect()
    }

    #[test]
    fn f18_a_draft_is_kept_by_server_and_tool_the_newest_last() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("state/drafts.json");
        let drafts = Drafts::new(file.clone());
        assert!(drafts.all().is_empty());
        drafts
            .keep("ci", "a", Some(json!({ "pattern": "(" })))
            .unwrap();
        // Another copy of the program.
        Drafts::new(file.clone())
            .keep("ci", "b", Some(json!(2)))
            .unwrap();
        drafts.keep("other", "a", Some(json!(3))).unwrap();
        drafts.keep("ci", "a", Some(json!(4))).unwrap();
        let kept = drafts.all();
        assert_eq!(names(&drafts), ["b", "a", "a"]);
        assert_eq!((kept[2].server.as_str(), &kept[2].draft), ("ci", &json!(4)));
        drafts.keep("ci", "b", None).unwrap();
        assert_eq!(names(&drafts), ["a", "a"]);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn nothing_is_written_where_nothing_changes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("drafts.json");
        Drafts::new(file.clone()).keep("ci", "a", None).unwrap();
        assert!(!file.exists());
    }

    #[test]
    fn the_oldest_give_way() {
        let folder = tempfile::tempdir().unwrap();
        let drafts = Drafts::new(folder.path().join("drafts.json"));
        for number in 0..MOST + 2 {
            drafts
                .keep("ci", &number.to_string(), Some(json!(1)))
                .unwrap();
        }
        assert_eq!(
            (drafts.all().len(), names(&drafts)[0].as_str()),
            (MOST, "2")
        );
        let large = "x".repeat(MOST_BYTES / 2);
        drafts.keep("ci", "large", Some(json!(large))).unwrap();
        drafts.keep("ci", "larger", Some(json!(large))).unwrap();
        assert_eq!(names(&drafts), ["larger"]);
        drafts
            .keep("ci", "a", Some(json!(format!("{large}{large}"))))
            .unwrap();
        assert!(names(&drafts).is_empty());
    }

    #[test]
    fn a_file_that_is_no_memory_of_drafts_is_an_empty_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("drafts.json");
        std::fs::write(&file, "{\"drafts\": [{\"server\":").unwrap();
        let drafts = Drafts::new(file);
        assert!(drafts.all().is_empty());
        drafts.keep("ci", "a", Some(json!(1))).unwrap();
        assert_eq!(names(&drafts), ["a"]);
    }
}
