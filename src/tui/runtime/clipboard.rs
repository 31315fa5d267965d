//! Bringing a text to the operator's clipboard.
//!
//! Owns the ways there: tmux where we are in it, or else the terminal. Must not know what is copied.

use std::process::Stdio;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use super::super::message::Copied;
use super::terminal::takes_commands;

/// Bytes that a terminal takes by OSC 52: with the command around it, 100,000 in base64, beyond which
/// several terminals drop it without a word.
const OSC_52_LIMIT: usize = 74_994;
/// How long tmux may take.
const TMUX: Duration = Duration::from_secs(2);

/// Brings `text` there, or prepares it for the terminal.
///
/// # Errors
/// Why it is nowhere.
pub(super) async fn copy(text: String) -> Result<Copied, String> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let bytes = text.len();
    if set("TMUX").is_some() {
        let loaded = tokio::time::timeout(TMUX, load_buffer(text)).await;
        return match loaded {
            Ok(loaded) => loaded.map(|()| Copied::Tmux { bytes }),
            Err(_) => Err("tmux did not answer".to_owned()),
        };
    }
    if !takes_commands(set("TERM").as_deref()) {
        return Err("this terminal has no clipboard that can be reached".to_owned());
    }
    if bytes > OSC_52_LIMIT {
        return Err(format!(
            "it has {bytes} bytes, and a terminal takes {OSC_52_LIMIT}"
        ));
    }
    let encoded = STANDARD.encode(text);
    Ok(Copied::Terminal { bytes, encoded })
}

/// Gives `text` to tmux, which hands it on to the terminal's clipboard.
async fn load_buffer(text: String) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("tmux can't be run: {error}");
    let mut tmux = Command::new("tmux")
        .args(["load-buffer", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(failed)?;
    if let Some(mut stdin) = tmux.stdin.take() {
        // One that ends early says why itself.
        let _ = stdin.write_all(text.as_bytes()).await;
    }
    let output = tmux.wait_with_output().await.map_err(failed)?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("tmux said: {}", said.trim()))
}
