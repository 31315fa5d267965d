//! The servers in other programs' files.
//!
//! Owns which file is whose and which of them belong to a project. The files are only read; nothing
//! is started or contacted.

use std::path::{Path, PathBuf};

use crate::mcp::{self, ConfigFile, ConfigProblem, EntryState, Program, Source, Surroundings};
use crate::store::{ProgramFolders, unreadable};

/// Bytes of a file that are looked through: some programs keep their histories in it as well.
const LARGEST_FILE: u64 = 64 * 1024 * 1024;

/// What was found, the more specific first, and what could not be read.
pub(super) type Found = (Vec<EntryState>, Vec<ConfigProblem>);

/// Looks into every file that there is.
///
/// # Errors
/// A sentence, where there is no home folder or no current one.
pub(super) fn discover() -> Result<Found, String> {
    let folders = ProgramFolders::of_user()?;
    let folder = std::env::current_dir()
        .map_err(|error| format!("the current folder can't be used: {error}; go to another"))?;
    let around = Surroundings {
        home: folders.home.clone(),
        folder,
    };
    let (mut entries, mut problems) = (Vec::new(), Vec::new());
    let mut seen = Vec::new();
    // A home folder that is the current folder too is its owner's, and is read once.
    let own: Vec<_> = files_of_user(&folders)
        .into_iter()
        .filter_map(|(_, path)| path.canonicalize().ok())
        .collect();
    for (program, path, of_project) in files(&folders) {
        let place = match path.canonicalize() {
            Ok(place) => place,
            Err(error) if is_missing(&error) => continue,
            Err(error) => {
                problems.push(problem(path, unreadable(&error)));
                continue;
            }
        };
        let owned_elsewhere = of_project && own.contains(&place);
        if owned_elsewhere || seen.contains(&place) {
            continue;
        }
        seen.push(place);
        let (good, bad) = read(program, path, of_project, &around);
        entries.extend(good);
        problems.extend(bad);
    }
    Ok((entries, problems))
}

fn read(program: Program, path: PathBuf, of_project: bool, around: &Surroundings) -> Found {
    let source = Source::Program {
        program,
        path: path.clone(),
        of_project,
    };
    match text_of(&path) {
        Ok(text) => {
            let file = ConfigFile { path, source, text };
            mcp::parse_program_file(program, &file, around)
        }
        Err(message) => (Vec::new(), vec![problem(path, message)]),
    }
}

fn problem(path: PathBuf, message: String) -> ConfigProblem {
    ConfigProblem {
        path,
        line: None,
        server: None,
        message,
    }
}

fn is_missing(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}

/// A pipe would be waited for, and a device never ends.
fn text_of(path: &Path) -> Result<String, String> {
    let about = path.metadata().map_err(|error| unreadable(&error))?;
    if about.is_dir() {
        return Err(unreadable(&std::io::ErrorKind::IsADirectory.into()));
    }
    if !about.is_file() || about.len() > LARGEST_FILE {
        return Err("it is no ordinary file of at most 64 MiB, so it is not read".to_owned());
    }
    std::fs::read_to_string(path).map_err(|error| unreadable(&error))
}

/// Every file, and whether it belongs to the project in the current folder. A program's file there
/// goes before the one in the home folder.
fn files(folders: &ProgramFolders) -> Vec<(Program, PathBuf, bool)> {
    let of_project = [
        (Program::Cursor, ".cursor/mcp.json"),
        (Program::VsCode, ".vscode/mcp.json"),
        (Program::Codex, ".codex/config.toml"),
        (Program::Gemini, ".gemini/settings.json"),
        (Program::Opencode, "opencode.json"),
        (Program::Opencode, "opencode.jsonc"),
    ];
    let of_project = of_project.map(|(program, path)| (program, PathBuf::from(path), true));
    let of_user = files_of_user(folders).into_iter();
    let of_user = of_user.map(|(program, path)| (program, path, false));
    let mut files: Vec<_> = of_project.into_iter().chain(of_user).collect();
    // Stable: what was first of a program's stays first.
    files.sort_by_key(|(program, ..)| *program);
    files
}

fn files_of_user(folders: &ProgramFolders) -> Vec<(Program, PathBuf)> {
    let ProgramFolders {
        home,
        config,
        desktop,
    } = folders;
    vec![
        (
            Program::ClaudeDesktop,
            desktop.join("Claude/claude_desktop_config.json"),
        ),
        (Program::ClaudeCode, home.join(".claude.json")),
        (Program::Cursor, home.join(".cursor/mcp.json")),
        (Program::VsCode, desktop.join("Code/User/mcp.json")),
        (
            Program::Windsurf,
            home.join(".codeium/windsurf/mcp_config.json"),
        ),
        (Program::Zed, config.join("zed/settings.json")),
        (Program::Codex, home.join(".codex/config.toml")),
        (Program::Gemini, home.join(".gemini/settings.json")),
        (Program::Opencode, config.join("opencode/opencode.json")),
        (Program::Opencode, config.join("opencode/opencode.jsonc")),
    ]
}
