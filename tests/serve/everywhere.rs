//! The same wait by the screen, by `run` and by `serve`: the same result, and recorded, the same
//! events, times aside.

use std::path::Path;

use serde_json::{Value, json};

use crate::caller::Place;
use crate::pty::Pty;
use crate::support::Lab;

/// What a wait recorded below this home: its events without times, and without the name of the file that
/// the call came from.
fn recorded(home: &Path) -> Vec<Value> {
    let folder = home.join(".local/state/stakeout/recordings");
    let files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    let files = files
        .iter()
        .filter(|path| path.to_string_lossy().ends_with(".wait.jsonl"));
    let [file] = files.collect::<Vec<_>>()[..] else {
        panic!("not one recording");
    };
    let text = std::fs::read_to_string(file).unwrap();
    let events = text.lines().map(|line| serde_json::from_str(line).unwrap());
    events
        .map(|mut event: Value| {
            let fields = event.as_object_mut().unwrap();
            for key in ["started_at", "at_ms", "latency_ms", "for_ms", "name"] {
                fields.shift_remove(key);
            }
            event
        })
        .collect()
}

fn servers(lab: &Lab) -> Value {
    let command = lab.command("many-tools");
    json!({"mcpServers": {"lab": {"command": command.command, "args": command.args}}})
}

fn wait() -> Value {
    json!({
        "probe": {"server": "lab", "tool": "count", "args": {}},
        "until": {"matches": "call 3"}, "poll_sec": 1, "max_wait_sec": 60,
    })
}

fn by_screen() -> Vec<Value> {
    let lab = Lab::new();
    let mut pty = Pty::shell(&format!(
        "mkdir -p \"$HOME/.config/stakeout\"; printf '%s' '{}' > \"$HOME/.config/stakeout/mcp.json\"; \
         printf '%s' '{}' > x.wait.json; exec \"$STAKEOUT\" x.wait.json",
        servers(&lab),
        wait()
    ));
    pty.until("the tool", |screen| {
        screen.contains("▸ count") && screen.contains("Arguments")
    });
    pty.press("r");
    pty.until("the end", |screen| screen.contains("matched after"));
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    recorded(pty.home())
}

async fn by_run() -> (Value, Vec<Value>) {
    let place = Place::with_lab("many-tools");
    let spec = place.home().join("x.wait.json");
    std::fs::write(&spec, wait().to_string()).unwrap();
    let output = place
        .command_of("run", &[&spec.display().to_string()])
        .output()
        .await
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    (
        serde_json::from_slice(&output.stdout).unwrap(),
        recorded(&place.home()),
    )
}

async fn by_serve() -> (Value, Vec<Value>) {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(&["--allow", "lab/*", "--record"]).await;
    let result = caller.wait_for(wait()).await;
    caller.hang_up();
    assert_eq!(caller.exited().await, Some(0));
    (result, recorded(&place.home()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_wait_everywhere() {
    let screen = tokio::task::spawn_blocking(by_screen);
    let ((run, run_events), (serve, serve_events)) = tokio::join!(by_run(), by_serve());
    let screen_events = screen.await.unwrap();
    assert_eq!(run, serve);
    assert_eq!(screen_events.last().unwrap()["result"], run);
    assert_eq!(screen_events, run_events);
    assert_eq!(serve_events, run_events);
    assert_eq!(run_events.len(), 11, "{run_events:?}");
}

#[tokio::test]
async fn serve_records_only_when_it_is_told_to() {
    let place = Place::with_lab("many-tools");
    let mut caller = place.serve(&["--allow", "lab/*"]).await;
    assert_eq!(caller.wait_for(wait()).await["reason"], "matched");
    caller.hang_up();
    assert_eq!(caller.exited().await, Some(0));
    assert!(
        !place
            .home()
            .join(".local/state/stakeout/recordings")
            .exists()
    );

    let folder = place.home().join("elsewhere");
    let mut caller = place
        .serve(&[
            "--allow",
            "lab/*",
            "--record",
            &folder.display().to_string(),
        ])
        .await;
    assert_eq!(caller.wait_for(wait()).await["reason"], "matched");
    caller.hang_up();
    assert_eq!(caller.exited().await, Some(0));
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 1);
}
