//! What the screen asks of the terminal beside drawing: its clipboard, its title.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustix::process::Signal;
use serde_json::Value;

use crate::pty::Pty;

fn matched() -> Pty {
    let mut pty = Pty::stakeout();
    pty.press("r");
    pty.until("a match", |screen| screen.contains("matched after"));
    pty
}

/// What was sent to the clipboard so far.
fn copied(pty: &Pty) -> Vec<String> {
    let encoded = pty.written_between("\u{1b}]52;c;", "\u{7}");
    let decoded = encoded.iter().map(|text| STANDARD.decode(text).unwrap());
    decoded
        .map(|text| String::from_utf8(text).unwrap())
        .collect()
}

#[test]
fn the_terminal_is_asked_to_take_what_is_copied_and_nothing_else() {
    let mut pty = matched();
    for (count, key) in ["o", "r", "a"].into_iter().enumerate() {
        pty.press("y");
        pty.until("the question", |screen| screen.contains("c command"));
        pty.press(key);
        pty.until("an answer", |screen| screen.contains("was sent to the"));
        pty.press("k");
        pty.until("no answer", |screen| !screen.contains("was sent to the"));
        assert_eq!(copied(&pty).len(), count + 1);
    }
    let [output, result, call] = &copied(&pty)[..] else {
        panic!("{:?}", copied(&pty))
    };
    assert!(output.starts_with("DEPLOYMENT") && output.contains("3/3"));
    let result: Value = serde_json::from_str(result).unwrap();
    assert_eq!(result["reason"], "matched");
    assert_eq!(result["last_observation"], output.as_str());
    let call: Value = serde_json::from_str(call).unwrap();
    assert_eq!(call["probe"]["tool"], "rollout_status");
    assert_eq!(call["probe"].get("server"), None);
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
}

#[test]
fn under_tmux_the_text_goes_to_tmux() {
    let script = r#"
        mkdir bin && printf '#!/bin/sh\necho "$@" > args; cat > buffer\n' > bin/tmux && chmod +x bin/tmux
        export TMUX=/tmp/none,1,0 PATH="$PWD/bin:$PATH"; "$STAKEOUT"; cat args; head -c 10 buffer
    "#;
    let mut pty = Pty::shell(script);
    pty.press("t");
    pty.until("a try", |screen| screen.contains("DEPLOYMENT"));
    pty.press("y");
    pty.until("the question", |screen| screen.contains("c command"));
    pty.press("o");
    pty.until("an answer", |screen| screen.contains("in tmux's buffer"));
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    let screen = pty.screen();
    assert!(screen.contains("load-buffer -w -"), "{screen}");
    assert!(screen.contains("DEPLOYMENT"), "{screen}");
    assert!(copied(&pty).is_empty());
}

/// Titles that were set, and whether the one before was put away first and taken out at the end.
fn titles(pty: &Pty) -> (Vec<String>, bool) {
    let (put_away, taken_out) = ("\u{1b}[22;0t", "\u{1b}[23;0t");
    let after = pty.written_between(put_away, taken_out);
    let balanced = after.len() == 1 && pty.written_between(taken_out, "x").len() == 1;
    (pty.written_between("\u{1b}]0;", "\u{7}"), balanced)
}

#[test]
fn the_title_tells_the_wait_and_is_put_back() {
    let mut pty = matched();
    pty.until_written("\u{1b}]0;✔ matched rollout_status – stakeout\u{7}");
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    let (titles, balanced) = titles(&pty);
    assert!(balanced, "{titles:?}");
    assert!(titles[0].starts_with("● 0:0"), "{titles:?}");
    assert!(titles[0].ends_with("rollout_status – stakeout"));
}

#[test]
fn u17_the_title_is_put_back_after_a_signal_too() {
    let mut pty = Pty::stakeout();
    pty.press("r");
    pty.until("a sample", |screen| screen.contains("DEPLOYMENT"));
    pty.signal(Signal::TERM);
    assert_eq!(pty.exit_code(), 143);
    let (titles, balanced) = titles(&pty);
    assert!(balanced && !titles.is_empty(), "{titles:?}");
}

#[test]
fn a_dumb_terminal_gets_no_title_and_no_clipboard() {
    let mut pty = Pty::shell(r#"TERM=linux "$STAKEOUT""#);
    pty.press("r");
    pty.until("a sample", |screen| screen.contains("DEPLOYMENT"));
    pty.press("y");
    pty.until("the question", |screen| screen.contains("c command"));
    pty.press("o");
    pty.until("an answer", |screen| screen.contains("has no clipboard"));
    pty.press("q");
    pty.until("the question", |screen| screen.contains("Quit?"));
    pty.press("y");
    assert_eq!(pty.exit_code(), 0);
    assert!(titles(&pty).0.is_empty() && copied(&pty).is_empty());
}
