//! A recording file on the command line: opened on the Watch, stepped through, and left.

use crate::pty::Pty;

/// Records a wait for the demo's queue, and opens what `file` says.
fn recorded(file: &str, more: &str) -> Pty {
    Pty::shell(&format!(
        "\"$STAKEOUT\" run --tool queue_depth --server demo --matches '\"depth\"' --poll 1 \
           --output none --quiet --record 'some file'\n\
         {more}\n\
         exec \"$STAKEOUT\" {file}"
    ))
}

#[test]
fn a_recording_of_any_name_opens_on_the_watch() {
    let mut pty = recorded("'some file'", "");
    pty.until("the recording", |screen| screen.contains("matched after"));
    assert!(
        pty.screen().contains(" REPLAY   paused 1×  some file"),
        "{}",
        pty.screen()
    );
    pty.press("+");
    pty.until("another speed", |screen| screen.contains("paused 2×"));
    pty.press("[3");
    pty.until("the library", |screen| {
        screen.contains("Library ·") || screen.contains("kept yet")
    });
    pty.press("2q");
    assert_eq!(pty.exit_code(), 0);
    pty.assert_as_it_was();
}

#[test]
fn what_begins_like_a_recording_and_is_none_is_refused_in_a_sentence() {
    let mut pty = recorded(
        "odd",
        "echo '{\"event\":\"wait_started\",\"version\":99}' > odd",
    );
    assert_eq!(pty.exit_code(), 2);
    assert!(pty.screen().contains("version 99"), "{}", pty.screen());
    pty.assert_as_it_was();
}
