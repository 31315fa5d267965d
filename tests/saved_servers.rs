//! A wait that is saved with how its server is reached: without secrets, and trusted only if it was.
//! The folders of a user are those of the environment, so each test is started again in its own.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use stakeout::app::{EntryOffer, Kept, SaveRequest, ServerOptions, Servers, spec_entry};
use stakeout::store::{SaveError, Spec, SpecFile, SpecPlace};

/// Runs `test` in an empty home, in a process of its own.
fn at_home(name: &str, test: fn(&Path)) {
    const HOME: &str = "SAVED_SERVERS_HOME";
    if let Ok(home) = std::env::var(HOME) {
        return test(Path::new(&home));
    }
    let home = tempfile::tempdir().unwrap();
    let ran = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .current_dir(home.path())
        .env(HOME, home.path())
        .env("HOME", home.path())
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_STATE_HOME")
        .env_remove("XDG_DATA_HOME")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{said}");
    // A name that no test has would pass as well.
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(told.contains("1 passed"), "{told}");
}

fn user_servers(home: &Path, servers: &Value) {
    let folder = home.join(".config/stakeout");
    std::fs::create_dir_all(&folder).unwrap();
    let text = json!({ "mcpServers": servers }).to_string();
    std::fs::write(folder.join("mcp.json"), text).unwrap();
}

fn servers(given: Option<&Path>) -> Servers {
    let given = given.map(|path| {
        let (spec, _) = SpecFile::open(path).unwrap();
        spec_entry(&spec, path).unwrap().unwrap()
    });
    let options = ServerOptions {
        given: given.into_iter().collect(),
        ..ServerOptions::default()
    };
    Servers::load(&options).unwrap()
}

/// A wait on `ci`, to be saved with its entry.
fn request(name: &str, place: SpecPlace) -> SaveRequest {
    let call = json!({
        "probe": { "server": "ci", "tool": "get_run", "args": {} }, "until": { "matches": "x" },
    });
    SaveRequest {
        spec: Spec {
            name: Some(name.to_owned()),
            ..Spec::new(call.as_object().unwrap().clone())
        },
        place,
        server: "ci".to_owned(),
        with_entry: Some(true),
        known: None,
        over_anything: false,
    }
}

fn is_trusted(path: &Path) -> bool {
    let rows = servers(Some(path)).rows();
    let row = rows.iter().find(|row| row.name == "ci" && !row.shadowed);
    row.unwrap().approval.is_none()
}

#[test]
fn a1_secrets_become_variables_and_what_is_ones_own_is_trusted() {
    at_home(
        "a1_secrets_become_variables_and_what_is_ones_own_is_trusted",
        |home| {
            user_servers(
                home,
                &json!({ "ci": {
                    "url": "https://ci.example.com/mcp?key=s3cret",
                    "headers": { "Authorization": "Bearer s3cret", "X-Team": "${TEAM}" }, "timeout": 9000,
                }}),
            );
            let servers = servers(None);
            let look = servers.look_at_saving("ci", &SpecPlace::Folder, "build");
            let variables = vec!["KEY".to_owned(), "AUTHORIZATION".to_owned()];
            let possible = |advised| EntryOffer::Possible {
                advised,
                variables: variables.clone(),
                reach: "https://ci.example.com/mcp?key=${KEY}".to_owned(),
            };
            assert_eq!(look.entry, possible(true));
            let look = servers.look_at_saving("ci", &SpecPlace::Library, "build");
            assert_eq!(look.entry, possible(false));
            let demo = servers.look_at_saving("demo", &SpecPlace::Folder, "build");
            assert_eq!(demo.entry, EntryOffer::Needless);
            let saved = servers
                .save_spec(request("build", SpecPlace::Folder))
                .unwrap();
            assert_eq!(saved.variables, variables);
            let text = std::fs::read_to_string(&saved.file.path).unwrap();
            assert!(!text.contains("s3cret"), "{text}");
            let expected = json!({
                "type": "http", "url": "https://ci.example.com/mcp?key=${KEY}",
                "headers": { "Authorization": "${AUTHORIZATION}", "X-Team": "${TEAM}" }, "timeout": 9000,
            });
            assert_eq!(saved.spec.server, Some(expected));
            assert!(is_trusted(&saved.file.path));
        },
    );
}

#[test]
fn what_a_project_brings_along_is_not_trusted_by_saving_it() {
    at_home(
        "what_a_project_brings_along_is_not_trusted_by_saving_it",
        |home| {
            let theirs = home.join("theirs.wait.json");
            let wait = request("x", SpecPlace::Library).spec.wait;
            let spec = json!({ "wait": wait, "server": { "command": "evil" } });
            std::fs::write(&theirs, spec.to_string()).unwrap();
            let servers = servers(Some(&theirs));
            let saved = servers
                .save_spec(request("mine", SpecPlace::Library))
                .unwrap();
            assert_eq!(saved.spec.server.as_ref().unwrap()["command"], "evil");
            assert!(!is_trusted(&saved.file.path));
            let schema = saved.file.path.with_file_name("wait-spec.schema.json");
            assert!(schema.exists());
            assert_eq!(
                saved.spec.schema.as_deref(),
                Some("./wait-spec.schema.json")
            );
        },
    );
}

#[test]
fn a_file_is_written_over_only_by_who_knows_it() {
    at_home("a_file_is_written_over_only_by_who_knows_it", |home| {
        user_servers(home, &json!({ "ci": { "command": "ci-server" } }));
        let servers = servers(None);
        let path = SpecPlace::Path("~/waits/build".to_owned());
        let saved = servers.save_spec(request("build", path.clone())).unwrap();
        assert_eq!(saved.file.path, home.join("waits/build.wait.json"));
        let again = servers.save_spec(request("build", path.clone()));
        assert!(matches!(again, Err(SaveError::Exists(_))), "{again:?}");
        let known = SaveRequest {
            known: Some(saved.file.clone()),
            with_entry: Some(false),
            ..request("build", SpecPlace::File(saved.file.path.clone()))
        };
        let saved = servers.save_spec(known.clone()).unwrap();
        assert_eq!(saved.spec.server, None);
        let stale = servers.save_spec(known);
        assert!(matches!(stale, Err(SaveError::Changed(_))), "{stale:?}");
        let (spec, file) = SpecFile::open(&saved.file.path).unwrap();
        assert_eq!((spec, file), (saved.spec, saved.file));
    });
}

#[test]
fn a_spec_that_is_opened_leaves_other_waits_their_servers() {
    at_home(
        "a_spec_that_is_opened_leaves_other_waits_their_servers",
        |home| {
            user_servers(
                home,
                &json!({ "ci": { "command": "mine" }, "other": { "command": "mine" } }),
            );
            let path = home.join("shared.wait.json");
            let wait = request("x", SpecPlace::Library).spec.wait;
            let spec = json!({ "wait": wait, "server": { "command": "theirs" } });
            std::fs::write(&path, spec.to_string()).unwrap();
            let servers = servers(None);
            let kept = servers.read_kept(Kept::Spec, &path).unwrap();
            assert_eq!(kept.call["probe"]["server"], "ci-2");
            let reach = |name: &str| format!("{:?}", servers.entry_of(name).unwrap().reach);
            assert!(reach("ci-2").contains("theirs"));
            assert_eq!(servers.resolve(Some("ci"), None).unwrap(), "ci");
            assert!(reach("ci").contains("mine"));
            // A call that names none doesn't mean what some file brought along.
            assert!(servers.resolve(None, Some("get_run")).is_err());
        },
    );
}
