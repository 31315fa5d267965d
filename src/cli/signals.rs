//! The signals that end a command.

/// Waits for the first of SIGINT, SIGTERM and SIGHUP, and gives its number.
#[cfg(unix)]
pub async fn first() -> std::io::Result<u8> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(tokio::select! {
        _ = interrupt.recv() => 2,
        _ = terminate.recv() => 15,
        _ = hangup.recv() => 1,
    })
}

/// Waits for Ctrl-C, and gives the number that it has elsewhere.
#[cfg(not(unix))]
pub async fn first() -> std::io::Result<u8> {
    tokio::signal::ctrl_c().await.map(|()| 2)
}
