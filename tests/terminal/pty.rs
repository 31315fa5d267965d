//! A program on a pseudo terminal.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtyPair, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

/// How long anything may take.
const PATIENCE: Duration = Duration::from_secs(40);

/// What the terminal was asked for beside drawing: a title, the clipboard, and whatever the emulator
/// doesn't know, each once.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Witness {
    pub asked: BTreeSet<String>,
}

impl vt100::Callbacks for Witness {
    fn resize(&mut self, _: &mut vt100::Screen, size: (u16, u16)) {
        self.asked.insert(format!("size {size:?}"));
    }
    fn set_window_icon_name(&mut self, _: &mut vt100::Screen, name: &[u8]) {
        self.asked.insert(format!("icon {}", title_of_ours(name)));
    }
    fn set_window_title(&mut self, _: &mut vt100::Screen, title: &[u8]) {
        self.asked.insert(format!("title {}", title_of_ours(title)));
    }
    fn copy_to_clipboard(&mut self, _: &mut vt100::Screen, _: &[u8], data: &[u8]) {
        self.asked.insert(format!("copy {data:?}"));
    }
    fn paste_from_clipboard(&mut self, _: &mut vt100::Screen, kind: &[u8]) {
        self.asked.insert(format!("paste {kind:?}"));
    }
    fn unhandled_char(&mut self, _: &mut vt100::Screen, character: char) {
        self.asked.insert(format!("character {character:?}"));
    }
    fn unhandled_control(&mut self, _: &mut vt100::Screen, byte: u8) {
        self.asked.insert(format!("control {byte:#x}"));
    }
    fn unhandled_escape(&mut self, _: &mut vt100::Screen, a: Option<u8>, b: Option<u8>, c: u8) {
        self.asked.insert(format!("escape {a:?} {b:?} {c:#x}"));
    }
    fn unhandled_csi(
        &mut self,
        _: &mut vt100::Screen,
        a: Option<u8>,
        b: Option<u8>,
        parameters: &[&[u16]],
        last: char,
    ) {
        self.asked
            .insert(format!("CSI {a:?} {b:?} {parameters:?} {last}"));
    }
    fn unhandled_osc(&mut self, _: &mut vt100::Screen, parameters: &[&[u8]]) {
        self.asked.insert(format!("OSC {parameters:?}"));
    }
}

/// A title in the form of ours without what time alone changes in it; any other as it is.
fn title_of_ours(title: &[u8]) -> String {
    let title = String::from_utf8_lossy(title);
    let ours = title.ends_with(" – stakeout") && !title.chars().any(char::is_control);
    if ours {
        "of ours".to_owned()
    } else {
        format!("{title:?}")
    }
}

pub struct Pty {
    master: Option<Box<dyn MasterPty + Send>>,
    slave: Option<Box<dyn portable_pty::SlavePty + Send>>,
    writer: Option<Box<dyn Write + Send>>,
    child: Box<dyn Child + Send + Sync>,
    output: Receiver<Vec<u8>>,
    /// Every byte that was read.
    written: Vec<u8>,
    emulator: vt100::Parser<Witness>,
    /// The terminal's settings before the program started.
    before: String,
    home: tempfile::TempDir,
}

impl Pty {
    /// The screen, 80x24, in an empty home.
    pub fn stakeout() -> Self {
        Self::start(CommandBuilder::new(env!("CARGO_BIN_EXE_stakeout")))
    }

    /// A script of the shell that finds the binary as `$STAKEOUT`.
    pub fn shell(script: &str) -> Self {
        let mut command = CommandBuilder::new("bash");
        command.args(["-c", script]);
        Self::start(command)
    }

    /// One test of this very program.
    pub fn own_test(name: &str) -> Self {
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args(["--exact", name, "--ignored", "--nocapture"]);
        Self::start(command)
    }

    fn start(mut command: CommandBuilder) -> Self {
        let home = tempfile::tempdir().unwrap();
        set_environment(&mut command, home.path());
        let size = PtySize {
            rows: 24,
            cols: 80,
            pixel_width: 0,
            pixel_height: 0,
        };
        let PtyPair { master, slave } = native_pty_system().openpty(size).unwrap();
        let before = settings(&*master);
        let child = slave.spawn_command(command).unwrap();
        let mut reader = master.try_clone_reader().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    return;
                }
            }
        });
        let writer = Some(master.take_writer().unwrap());
        let witness = Witness::default();
        let emulator = vt100::Parser::new_with_callbacks(cells(24), cells(80), 0, witness);
        let (master, slave) = (Some(master), Some(slave));
        Self {
            master,
            slave,
            writer,
            child,
            output,
            emulator,
            written: Vec::new(),
            before,
            home,
        }
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub fn press(&mut self, keys: &str) {
        let writer = self.writer.as_mut().unwrap();
        writer.write_all(keys.as_bytes()).unwrap();
        writer.flush().unwrap();
    }

    pub fn resize(&mut self, rows: u16, columns: u16) {
        let size = PtySize {
            rows,
            cols: columns,
            pixel_width: 0,
            pixel_height: 0,
        };
        self.master.as_ref().unwrap().resize(size).unwrap();
        self.emulator
            .screen_mut()
            .set_size(cells(rows), cells(columns));
    }

    pub fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.process_id().unwrap()).unwrap();
        kill_process(Pid::from_raw(pid).unwrap(), signal).unwrap();
    }

    pub fn screen(&self) -> String {
        self.emulator.screen().contents()
    }

    /// What was asked of the terminal beside drawing.
    pub fn witness(&self) -> &Witness {
        self.emulator.callbacks()
    }

    /// Reads until nothing more is written for a while.
    pub fn rest(&mut self) {
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(250)) {
            self.take(&bytes);
        }
    }

    /// Reads until it is as wanted, or for long enough.
    pub fn stands(&mut self, wanted: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(10);
        while !wanted(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.take(&bytes),
                Err(_) => return,
            }
        }
    }

    pub fn with_screen<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.emulator.screen())
    }

    fn take(&mut self, bytes: &[u8]) {
        self.emulator.process(bytes);
        self.written.extend_from_slice(bytes);
    }

    /// What stands between each `start` and the `end` after it, of all that was written.
    pub fn written_between(&self, start: &str, end: &str) -> Vec<String> {
        let written = String::from_utf8_lossy(&self.written);
        let parts = written.split(start).skip(1);
        parts
            .map(|part| part.split(end).next().unwrap_or_default().to_owned())
            .collect()
    }

    /// Reads until those bytes were written.
    pub fn until_written(&mut self, wanted: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !String::from_utf8_lossy(&self.written).contains(wanted) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.take(&bytes),
                Err(error) => panic!("{wanted:?} was never written ({error})"),
            }
        }
    }

    /// Reads until the screen is as wanted.
    pub fn until(&mut self, what: &str, wanted: impl Fn(&str) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !wanted(&self.screen()) {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.take(&bytes),
                Err(error) => panic!("{what} never came ({error}):\n{}", self.screen()),
            }
        }
    }

    /// Fails if anything is written in that time.
    pub fn assert_silent_for(&mut self, time: Duration) {
        // A title may be set a second late.
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(1200)) {
            self.take(&bytes);
        }
        if let Ok(bytes) = self.output.recv_timeout(time) {
            panic!(
                "written while nothing changed: {:?}",
                String::from_utf8_lossy(&bytes)
            );
        }
    }

    /// Waits for the program to end, and reads what it wrote.
    pub fn exit_code(&mut self) -> u32 {
        let status = self.wait();
        while let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(200)) {
            self.take(&bytes);
        }
        status.exit_code()
    }

    fn wait(&mut self) -> portable_pty::ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(
                Instant::now() < deadline,
                "it never ended:\n{}",
                self.screen()
            );
            // What it writes must be read, or it can't end.
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(20)) {
                self.take(&bytes);
            }
        }
    }

    /// Takes the terminal away, and waits for the program to notice. The reader holds on to it until
    /// it has something to tell and nobody listens.
    pub fn hang_up(mut self) {
        self.output = channel().1;
        drop((self.writer.take(), self.slave.take(), self.master.take()));
        let deadline = Instant::now() + Duration::from_secs(10);
        while self.child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "it lives on without a terminal");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub fn assert_taken(&self) {
        let screen = self.emulator.screen();
        assert!(screen.alternate_screen() && screen.bracketed_paste());
        assert_ne!(settings(self.master.as_deref().unwrap()), self.before);
    }

    pub fn assert_as_it_was(&self) {
        let screen = self.emulator.screen();
        assert!(
            !screen.alternate_screen(),
            "the alternate screen is still on"
        );
        assert!(!screen.bracketed_paste(), "bracketed paste is still on");
        assert!(!screen.hide_cursor(), "the cursor is still hidden");
        assert_eq!(settings(self.master.as_deref().unwrap()), self.before);
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

fn settings(master: &(dyn MasterPty + Send)) -> String {
    format!("{:?}", master.get_termios())
}

fn set_environment(command: &mut CommandBuilder, home: &Path) {
    command.cwd(home);
    command.env("STAKEOUT", env!("CARGO_BIN_EXE_stakeout"));
    command.env("HOME", home);
    command.env("TERM", "xterm-256color");
    command.env("LC_ALL", "C.UTF-8");
    for name in [
        "NO_COLOR",
        "TMUX",
        "XDG_CONFIG_HOME",
        "XDG_DATA_HOME",
        "XDG_STATE_HOME",
    ] {
        command.env_remove(name);
    }
}
