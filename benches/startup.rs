//! How soon the screen is there, and what it costs while nothing and while something happens.
//!
//! Run with `cargo bench --bench startup`. Times stand beside `true` and `watch -n1 true`, started in
//! the same way in the same run, since a number alone says more about the machine than about us.
//! Processor time is read from `/proc`, so that part runs on Linux alone.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

use std::io::{Read, Write};
use std::num::NonZero;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const RUNS: usize = 21;
const OBSERVED: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(20);

/// A program in a terminal of its own, and what it draws.
struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    bytes: usize,
}

impl Terminal {
    fn start(program: &str, arguments: &[&str], home: &std::path::Path) -> Self {
        let size = PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.cwd(home);
        command.env("HOME", home);
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 65536];
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        let (rows, columns) = (NonZero::new(24).unwrap(), NonZero::new(80).unwrap());
        let screen = vt100::Parser::new(rows, columns, 0);
        Self {
            child,
            master: pair.master,
            output,
            screen,
            bytes: 0,
        }
    }

    /// Reads until the screen shows `text`, or until the program has ended.
    fn until(&mut self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.screen.screen().contents().contains(text) {
            assert!(
                Instant::now() < deadline,
                "{text} never came:\n{}",
                self.screen.screen().contents()
            );
            self.take(Duration::from_millis(50));
        }
    }

    fn take(&mut self, patience: Duration) {
        if let Ok(bytes) = self.output.recv_timeout(patience) {
            self.bytes += bytes.len();
            self.screen.process(&bytes);
        }
    }

    fn press(&mut self, keys: &str) {
        let mut writer = self.master.take_writer().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    fn end(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// From the start of the program until its screen shows `text`; without one, until it has ended.
fn first_paint(
    program: &str,
    arguments: &[&str],
    text: Option<&str>,
    home: &std::path::Path,
) -> Duration {
    let once = |_| {
        let began = Instant::now();
        let mut terminal = Terminal::start(program, arguments, home);
        match text {
            Some(text) => terminal.until(text),
            None => drop(terminal.child.wait().unwrap()),
        }
        let took = began.elapsed();
        if text.is_some() {
            terminal.end();
        }
        took
    };
    median((0..RUNS).map(once).collect())
}

/// Clock ticks that the process has used, in user and in kernel mode.
fn ticks(process: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let after_name = stat.rsplit_once(')')?.1;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    Some(fields[11].parse::<u64>().ok()? + fields[12].parse::<u64>().ok()?)
}

/// Processor time over a while, as a share of one core, and bytes drawn meanwhile.
fn cost(terminal: &mut Terminal) -> Option<(f64, usize)> {
    let process = terminal.child.process_id()?;
    let (before, bytes) = (ticks(process)?, terminal.bytes);
    let end = Instant::now() + OBSERVED;
    while Instant::now() < end {
        terminal.take(end.saturating_duration_since(Instant::now()));
    }
    // Linux counts in hundredths of a second wherever /proc is read.
    let used = (ticks(process)? - before) as f64 / 100.0;
    Some((
        100.0 * used / OBSERVED.as_secs_f64(),
        terminal.bytes - bytes,
    ))
}

fn main() {
    let home = tempfile::tempdir().unwrap();
    let stakeout = env!("CARGO_BIN_EXE_stakeout");
    let rows = [
        ("true", first_paint("true", &[], None, home.path())),
        (
            "watch -n1 true",
            first_paint("watch", &["-n1", "true"], Some("Every 1"), home.path()),
        ),
        (
            "stakeout",
            first_paint(stakeout, &[], Some("Bench"), home.path()),
        ),
    ];
    println!("first paint, median of {RUNS} starts in a terminal of 80x24");
    let baseline = rows[1].1;
    for (name, time) in rows {
        let ratio = time.as_secs_f64() / baseline.as_secs_f64();
        println!(
            "  {name:<16}{:>8.1} ms   {ratio:.2} of watch",
            time.as_secs_f64() * 1000.0
        );
    }
    let mut screen = Terminal::start(stakeout, &[], home.path());
    screen.until("rollout_status");
    screen.take(Duration::from_secs(1));
    let idle = cost(&mut screen);
    screen.press("r");
    screen.until("left");
    let running = cost(&mut screen);
    screen.end();
    println!("a screen of 80x24, over {} s each", OBSERVED.as_secs());
    for (name, cost) in [("idle", idle), ("a wait runs", running)] {
        match cost {
            Some((share, bytes)) => {
                println!("  {name:<16}{share:>8.2} % of a core   {bytes} bytes drawn")
            }
            None => println!("  {name:<16}not measured: there is no /proc here"),
        }
    }
}
