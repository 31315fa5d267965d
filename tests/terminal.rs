//! The real binary on a real terminal: a pseudo terminal, read by a terminal emulator.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "terminal/beside.rs"]
mod beside;
#[path = "terminal/circle.rs"]
mod circle;
#[allow(dead_code)]
#[path = "support/collector.rs"]
mod collector;
#[allow(dead_code)]
#[path = "terminal/pty.rs"]
mod pty;
#[path = "terminal/replay.rs"]
mod replay;
#[path = "terminal/traces.rs"]
mod traces;

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

/// The screen with an editor of ours.
fn with_editor(script: &str) -> Pty {
    let script = format!(
        "cat > editor.sh <<'END'\n{script}\nEND\nEDITOR=\"sh '$PWD/editor.sh'\" exec \"$STAKEOUT\""
    );
    Pty::shell(&script)
}

#[test]
fn the_editor_has_the_terminal_and_its_text_comes_back() {
    let mut pty = with_editor(
        "stty -a | grep -q ' icanon' && echo 'HAS THE TERMINAL'\nstat -c %a \"$1\" 2>/dev/null || stat -f %Lp \"$1\"\nread line\nprintf '{\"deployment\": \"%s\"}\\n' \"$line\" > \"$1\"\nstty raw -echo",
    );
    pty.until("connected", |screen| screen.contains("stakeout-demo"));
    pty.press("E");
    pty.until("the editor", |screen| {
        screen.contains("HAS THE TERMINAL") && screen.contains("600")
    });
    assert!(!pty.with_screen(vt100::Screen::alternate_screen));
    // Every key is the editor's.
    pty.press("qqq4711\r");
    pty.until("the text", |screen| {
        screen.contains("deployment    qqq4711") && screen.contains("Arguments")
    });
    pty.assert_taken();
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.assert_as_it_was();
}

#[test]
fn a_wait_runs_on_while_the_editor_is_open() {
    let mut pty = with_editor("echo EDITING; sleep 3; echo READY; read line");
    pty.until("connected", |screen| screen.contains("stakeout-demo"));
    pty.press("r");
    pty.until("a sample", |screen| screen.contains("DEPLOYMENT"));
    pty.press("1");
    pty.until("the bench", |screen| screen.contains("Arguments"));
    pty.press("E");
    pty.until("three seconds", |screen| screen.contains("READY"));
    pty.press("\r");
    pty.until("the bench again", |screen| screen.contains("Arguments"));
    pty.press("2");
    let sampled = |screen: &str| {
        let newest = screen.lines().find_map(|line| line.strip_prefix("┌ "));
        let number = newest.and_then(|line| line.split_whitespace().next());
        number.and_then(|number| number.parse::<u32>().ok())
    };
    pty.until("the watch", |screen| sampled(screen).is_some());
    assert!(sampled(&pty.screen()) >= Some(4), "{}", pty.screen());
    pty.press("q");
    pty.until("the question", |screen| screen.contains("Quit?"));
    pty.press("y");
    assert_eq!(pty.exit_code(), 0);
    pty.assert_as_it_was();
}

#[test]
fn an_editor_that_fails_loses_nothing() {
    let mut pty = with_editor("echo gone > \"$1\"; exit 3");
    pty.until("connected", |screen| screen.contains("stakeout-demo"));
    pty.press("E");
    pty.until("the sentence", |screen| screen.contains("exit code 3"));
    assert!(pty.screen().contains("deployment    web"));
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    let mut pty = Pty::shell(r#"VISUAL=/no/such/editor exec "$STAKEOUT""#);
    pty.until("connected", |screen| screen.contains("stakeout-demo"));
    pty.press("E");
    pty.until("the sentence", |screen| {
        screen.contains("could not be started")
    });
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.assert_as_it_was();
}

#[test]
fn ctrl_c_in_the_editor_is_the_editors_and_a_signal_ends_us_with_it() {
    let mut pty = with_editor(
        "trap 'echo INTERRUPTED; exit 1' INT\necho EDITING\nwhile :; do sleep 0.1; done",
    );
    pty.until("connected", |screen| screen.contains("stakeout-demo"));
    pty.press("E");
    pty.until("the editor", |screen| screen.contains("EDITING"));
    pty.press("\u{3}");
    pty.until("the bench", |screen| screen.contains("exit code 1"));
    pty.press("E");
    pty.until("the editor again", |screen| !screen.contains("Arguments"));
    pty.signal(Signal::TERM);
    assert_eq!(pty.exit_code(), 143);
    pty.assert_as_it_was();
}

#[test]
fn ctrl_z_in_the_editor_stops_both_until_fg() {
    let mut pty = Pty::shell(
        "cat > editor.sh <<'END'\necho EDITING; read line\nEND\nexport EDITOR=\"sh '$PWD/editor.sh'\"; set -m; \"$STAKEOUT\"; echo IN THE SHELL; read line; fg",
    );
    pty.until("connected", |screen| screen.contains("stakeout-demo"));
    pty.press("E");
    pty.until("the editor", |screen| screen.contains("EDITING"));
    pty.press("\u{1a}");
    pty.until("the shell", |screen| screen.contains("IN THE SHELL"));
    pty.press("\r");
    pty.until("the editor is there again", |screen| {
        screen.contains("$STAKEOUT")
    });
    pty.press("\r");
    pty.until("the bench", |screen| screen.contains("as they were"));
    pty.press("q");
    assert_eq!(pty.exit_code(), 0);
    pty.assert_as_it_was();
}

#[test]
fn u20_the_mouse_is_left_to_the_terminal() {
    let mut pty = Pty::stakeout();
    pty.until("connected", |screen| screen.contains("stakeout-demo"));
    let off = vt100::MouseProtocolMode::None;
    assert_eq!(pty.with_screen(vt100::Screen::mouse_protocol_mode), off);
    pty.press("r");
    pty.until("a sample", |screen| screen.contains("DEPLOYMENT"));
    assert_eq!(pty.with_screen(vt100::Screen::mouse_protocol_mode), off);
}

#[test]
fn f18_what_was_written_is_there_after_a_restart_and_after_a_signal() {
    let mut pty = Pty::shell(r#""$STAKEOUT"; echo AGAIN; read line; exec "$STAKEOUT""#);
    pty.until("the form", |screen| screen.contains("deployment    web"));
    pty.press("\t\u{15}api\u{1b}");
    pty.until("the argument at rest", |screen| {
        screen.contains("deployment    api") && screen.contains("? help")
    });
    pty.press("q");
    pty.until("the shell", |screen| screen.contains("AGAIN"));
    pty.press("\r");
    pty.until("the form again", |screen| {
        screen.contains("deployment    api")
    });
    pty.press("\t\u{15}db");
    pty.until("what is typed", |screen| {
        screen.contains("deployment    db")
    });
    pty.signal(Signal::TERM);
    assert_eq!(pty.exit_code(), 143);
    let kept = std::fs::read_to_string(pty.home().join(".local/state/stakeout/drafts.json"));
    assert!(kept.unwrap().contains("\\\"deployment\\\": \\\"db\\\""));
}
