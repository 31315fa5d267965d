//! Where our files live, by the XDG base directories.

use std::path::PathBuf;

use etcetera::BaseStrategy;
use etcetera::base_strategy::Xdg;

/// The folders of this user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// `config.toml` and `mcp.json` live here.
    pub config: PathBuf,
    /// What was approved, remembered and recorded lives here.
    pub state: PathBuf,
    /// What was saved lives here.
    pub data: PathBuf,
    /// What `~` means.
    pub home: PathBuf,
}

impl Folders {
    /// The folders that the environment names.
    ///
    /// # Errors
    /// A sentence, where there is no home folder.
    pub fn of_user() -> Result<Self, String> {
        let lost = "there is no home folder; set HOME to an absolute path";
        let base = Xdg::new().map_err(|_| lost)?;
        // The strategy always has a state folder; its type allows for others.
        let state = base.state_dir().unwrap_or_else(|| base.data_dir());
        let folders = Self {
            config: base.config_dir().join("stakeout"),
            state: state.join("stakeout"),
            data: base.data_dir().join("stakeout"),
            home: base.home_dir().to_owned(),
        };
        let all = [&folders.config, &folders.state, &folders.data];
        let placed = all.iter().all(|folder| folder.is_absolute());
        placed.then_some(folders).ok_or_else(|| lost.to_owned())
    }

    /// What the operator set.
    #[must_use]
    pub fn settings(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The user's own list of servers.
    #[must_use]
    pub fn servers(&self) -> PathBuf {
        self.config.join("mcp.json")
    }

    /// The saved waits.
    #[must_use]
    pub fn library(&self) -> PathBuf {
        self.data.join("library")
    }

    /// What the operator approved.
    #[must_use]
    pub fn trust(&self) -> PathBuf {
        self.state.join("trust.json")
    }

    /// What was written for each tool.
    #[must_use]
    pub fn drafts(&self) -> PathBuf {
        self.state.join("drafts.json")
    }

    /// What waits have seen.
    #[must_use]
    pub fn recordings(&self) -> PathBuf {
        self.state.join("recordings")
    }

    /// What this program has to say beside the point.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.state.join("stakeout.log")
    }

    /// Which tools servers had when they were last asked.
    #[must_use]
    pub fn remembered_tools(&self) -> PathBuf {
        self.state.join("tools.json")
    }
}
