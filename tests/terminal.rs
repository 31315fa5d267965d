//! The real binary on a real terminal: a pseudo terminal, read by a terminal emulator.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "terminal/beside.rs"]
mod beside;
#[allow(dead_code)]
#[path = "terminal/pty.rs"]
mod pty;

use std::time::Duration;

use pty::Pty;
use rustix::process::Signal;
use stakeout::tui::Screen;

#[test]
fn a_first_start_and_one_key_end_in_a_match() {
    let mut pty = Pty::stakeout();
    pty.until("connected", |screen| screen.contains("stakeout-demo"));
    pty.press("r");
    pty.until("the watch", |screen| screen.contains("until matches"));
    pty.until("a match", |screen| screen.contains("matched after"));
    assert!(pty.screen().contains("3/3"));
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
}

#[test]
fn r_right_after_the_start_waits_for_nothing() {
    let mut pty = Pty::stakeout();
    pty.press("r");
    pty.until("a sample", |screen| screen.contains("DEPLOYMENT"));
    pty.press("q");
    pty.until("the question", |screen| screen.contains("Quit?"));
    pty.press("y");
    assert_eq!(pty.exit_code(), 0);
    pty.assert_as_it_was();
}

#[test]
fn q_leaves_the_terminal_as_it_was() {
    let mut pty = Pty::stakeout();
    pty.until("the bench", |screen| screen.contains("Arguments"));
    pty.assert_taken();
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.assert_as_it_was();
}

#[test]
fn u17_signals_leave_the_terminal_as_it_was() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let mut pty = Pty::stakeout();
        pty.press("r");
        pty.until("a sample", |screen| screen.contains("DEPLOYMENT"));
        pty.signal(signal);
        assert_eq!(pty.exit_code(), code);
        pty.assert_as_it_was();
    }
}

#[test]
fn u18_a_panic_is_reported_on_the_terminal_as_it_was() {
    let mut pty = Pty::own_test("a_screen_whose_program_panics");
    pty.until("the report", |screen| screen.contains("on purpose"));
    pty.until("the end", |screen| screen.contains("test result: ok"));
    assert_eq!(pty.exit_code(), 0);
    pty.assert_as_it_was();
}

#[test]
#[ignore = "started on a terminal by the test above"]
fn a_screen_whose_program_panics() {
    let screen = Screen::open().unwrap();
    let crashed = screen.crashed();
    let panicked = std::thread::spawn(|| panic!("on purpose")).join();
    assert!(panicked.is_err() && crashed.is_cancelled());
}

#[test]
fn u13_an_idle_screen_draws_nothing() {
    let mut pty = Pty::stakeout();
    pty.until("connected", |screen| screen.contains("stakeout-demo"));
    pty.press("?");
    pty.until("help", |screen| screen.contains("Keys"));
    pty.assert_silent_for(Duration::from_millis(2500));
}

#[test]
fn u19_keys_come_from_the_terminal_when_stdin_is_a_pipe() {
    let mut pty = Pty::shell(r#"printf 'q' | "$STAKEOUT""#);
    pty.until("the bench", |screen| screen.contains("Arguments"));
    pty.press("?");
    pty.until("help", |screen| screen.contains("Keys"));
    pty.press("\u{1b}");
    pty.until("no help", |screen| !screen.contains("Keys"));
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.assert_as_it_was();
}

#[test]
fn u21_a_terminal_that_goes_away_ends_it() {
    let mut pty = Pty::stakeout();
    pty.press("r");
    pty.until("a sample", |screen| screen.contains("DEPLOYMENT"));
    pty.hang_up();
}

#[test]
fn ctrl_z_gives_the_terminal_back_until_fg() {
    let mut pty = Pty::shell(
        r#"set -m; "$STAKEOUT"; stty -a | grep -q ' icanon' && echo "IN THE SHELL"; read line; fg"#,
    );
    pty.until("the bench", |screen| screen.contains("Arguments"));
    pty.press("\u{1a}");
    pty.until("the shell", |screen| screen.contains("IN THE SHELL"));
    assert!(!pty.with_screen(vt100::Screen::alternate_screen));
    pty.press("\r");
    pty.until("the bench again", |screen| screen.contains("Arguments"));
    pty.assert_taken();
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.assert_as_it_was();
}

#[test]
fn u6_a_resize_is_drawn_whole() {
    let mut pty = Pty::stakeout();
    pty.until("connected", |screen| screen.contains("stakeout-demo"));
    for columns in (60..140).step_by(7) {
        pty.resize(30, columns);
    }
    pty.until("the lists", |screen| {
        screen.contains("Servers") && screen.contains("build_status")
    });
    pty.resize(10, 30);
    pty.until("a sentence", |screen| screen.contains("stakeout needs"));
}

/// A server that has a second tool as soon as its first list was read.
const GROWING: &str = r#"
first='{"name":"first_tool","inputSchema":{"type":"object"}}'
second='{"name":"second_tool","inputSchema":{"type":"object"}}'
tools=$first
while IFS= read -r line; do
  id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"lab","version":"1"}}' ;;
    *'"tools/list"'*) result="{\"tools\":[$tools]}" ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
  case $line in *'"tools/list"'*)
    if [ "$tools" = "$first" ]; then
      tools=$first,$second
      printf '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'
    fi ;;
  esac
done
"#;

#[test]
fn a_given_server_is_chosen_and_its_tools_are_followed() {
    let script = format!(
        "cat > growing.sh <<'END'\n{GROWING}\nEND\nexec \"$STAKEOUT\" --stdio 'sh growing.sh'"
    );
    let mut pty = Pty::shell(&script);
    pty.until("the first list", |screen| screen.contains("first_tool"));
    pty.until("the second list", |screen| screen.contains("second_tool"));
    pty.press("\r");
    pty.until("the tool", |screen| screen.contains("sh ▸ first_tool"));
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
}
