//! `stakeout serve`, from its flags to its end.
//!
//! Owns what the flags and the environment mean to the server, and which signals end it. Must not
//! know how anybody is served.

use std::env::VarError;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::pin::pin;
use std::process::ExitCode;

use stakeout::cli::{self, ServeFlags, Signals};
use stakeout::serve::{self, AllowList, HttpOptions, Listener, Rules, Token};
use stakeout::store::{Folders, RecordingWriter, unwritable};
use tokio_util::sync::CancellationToken;

/// What holds the token that callers must bring; children never inherit it.
const TOKEN: &str = "STAKEOUT_TOKEN";

/// Serves until there is nobody left to serve, or a signal comes; a second one ends it at once.
pub async fn serve(flags: ServeFlags) -> anyhow::Result<ExitCode> {
    let rules = Rules {
        allow: AllowList::parse(&flags.allow).map_err(anyhow::Error::msg)?,
        bounds: flags.bounds().map_err(anyhow::Error::msg)?,
        most_waits: flags.max_waits.into(),
        record: record(&flags)?,
    };
    let mut signals = Signals::listen()?;
    let servers = cli::servers(&flags.servers)?;
    let listener = match http(&flags)? {
        Some(options) => Some(Listener::bind(options).await.map_err(anyhow::Error::msg)?),
        None => None,
    };
    let stop = CancellationToken::new();
    let mut serving = pin!(async {
        let served = match listener {
            Some(listener) => {
                cli::say_aloud(&format!("stakeout: serving MCP at {}", listener.url()));
                serve::over_http(listener, servers.clone(), rules, &stop).await;
                Ok(())
            }
            None => {
                if std::io::stdin().is_terminal() {
                    cli::say_aloud(
                        "stakeout: serving MCP on stdin and stdout, for a client that starts it so; \
                         for others there is --http, and Ctrl-C ends it",
                    );
                }
                serve::over_stdio(servers.clone(), rules, &stop).await
            }
        };
        servers.close().await;
        served
    });
    loop {
        tokio::select! {
            served = &mut serving => return Ok(served.map(|()| ExitCode::SUCCESS)?),
            signal = signals.next() => {
                if stop.is_cancelled() {
                    return Ok(cli::ended_by(signal));
                }
                stop.cancel();
            }
        }
    }
}

/// The folder in which waits are recorded, if they are.
fn record(flags: &ServeFlags) -> anyhow::Result<Option<PathBuf>> {
    let folder = match &flags.record {
        None => return Ok(None),
        Some(Some(folder)) => folder.clone(),
        Some(None) => Folders::of_user().map_err(anyhow::Error::msg)?.recordings(),
    };
    // Later nobody would be told but the log.
    if let Err(error) = RecordingWriter::try_in(&folder) {
        let (folder, why) = (folder.display(), unwritable(&error));
        anyhow::bail!("--record: nothing can be recorded in {folder}: {why}");
    }
    Ok(Some(folder))
}

/// How HTTP is served, if it is.
fn http(flags: &ServeFlags) -> anyhow::Result<Option<HttpOptions>> {
    let Some(address) = &flags.http else {
        return Ok(None);
    };
    let token = match (&flags.token_file, std::env::var(TOKEN)) {
        (Some(file), _) => Some(Token::read(file)),
        (None, Ok(token)) => Some(Token::new(&token).map_err(|error| format!("{TOKEN}: {error}"))),
        (None, Err(VarError::NotPresent)) => None,
        (None, Err(VarError::NotUnicode(_))) => Some(Err(format!("{TOKEN}: it is no text"))),
    };
    Ok(Some(HttpOptions {
        address: address.clone(),
        token: token.transpose().map_err(anyhow::Error::msg)?,
        hosts: flags.allow_host.clone(),
        origins: flags.allow_origin.clone(),
    }))
}
