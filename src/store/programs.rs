//! The folders in which other programs keep their files.
//!
//! Owns how these folders are found. Must not know which file is whose.

use std::path::PathBuf;

use etcetera::BaseStrategy;
use etcetera::base_strategy::{Xdg, choose_native_strategy};

/// Where other programs of this user keep what they are told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramFolders {
    /// The home folder.
    pub home: PathBuf,
    /// `~/.config`, or what `XDG_CONFIG_HOME` says.
    pub config: PathBuf,
    /// Where this platform's desktop programs have theirs: `~/.config`,
    /// `~/Library/Application Support` or `%APPDATA%`.
    pub desktop: PathBuf,
}

impl ProgramFolders {
    /// The folders that the environment names.
    ///
    /// # Errors
    /// A sentence, where there is no home folder.
    pub fn of_user() -> Result<Self, String> {
        let lost = "there is no home folder; set HOME to an absolute path";
        let xdg = Xdg::new().map_err(|_| lost)?;
        let native = choose_native_strategy().map_err(|_| lost)?;
        let desktop = if cfg!(any(target_os = "macos", windows)) {
            native.data_dir()
        } else {
            native.config_dir()
        };
        Ok(Self {
            home: xdg.home_dir().to_owned(),
            config: xdg.config_dir(),
            desktop,
        })
    }
}
