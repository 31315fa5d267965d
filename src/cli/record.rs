//! The recording of a `run`: where it goes, and what is said of it.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use tokio::sync::mpsc;

use super::flags::RunFlags;
use super::live::Live;
use crate::app::{Recorder, RecordingNews, Servers, WaitRecording};
use crate::store::{Folders, RecordingWriter, unwritable};

/// A recording, until its wait takes it and after.
pub struct Recording {
    recorder: Recorder,
    wait: Option<WaitRecording>,
    /// What becomes of it.
    pub news: mpsc::UnboundedReceiver<RecordingNews>,
}

impl Recording {
    /// The recording that the flags ask for, or else the settings. A file that is named is made at
    /// once.
    ///
    /// # Errors
    /// Where that file can't be made, or exists.
    pub fn begin(flags: &RunFlags, servers: &Servers) -> anyhow::Result<Option<Self>> {
        let wanted = flags.record.is_some() || (!flags.no_record && servers.records());
        if !wanted {
            return Ok(None);
        }
        let file = flags.record.as_deref().map(create).transpose()?;
        let folders = Folders::of_user().map_err(|problem| anyhow!(problem))?;
        let recorder = Recorder::new(folders.recordings());
        let (tell, news) = mpsc::unbounded_channel();
        // Nobody is told any more once the wait is over.
        let tell = move |news| drop(tell.send(news));
        let wait = match file {
            Some(file) => recorder.record_into(file, tell),
            None => recorder.record(tell),
        };
        Ok(Some(Self {
            recorder,
            wait: Some(wait),
            news,
        }))
    }

    /// What the wait is to write to.
    pub fn take(&mut self) -> Option<WaitRecording> {
        self.wait.take()
    }

    /// Ends once everything is written. Says what went wrong, and takes the path that is new.
    pub async fn end<W: io::Write>(mut self, live: &mut Live<W>, path: &mut Option<PathBuf>) {
        self.recorder.flush().await;
        while let Ok(news) = self.news.try_recv() {
            if let Some(trouble) = news.trouble() {
                live.say(trouble);
            }
            *path = news.path().or(path.take());
        }
    }
}

fn create(path: &Path) -> anyhow::Result<RecordingWriter> {
    RecordingWriter::create(path).map_err(|error| {
        let place = path.display();
        let sentence = match error.kind() {
            io::ErrorKind::AlreadyExists => {
                format!("--record {place}: the file exists already; name a new one")
            }
            io::ErrorKind::NotFound => {
                format!("--record {place}: its folder does not exist; make it first")
            }
            _ => format!(
                "--record {place}: it can't be created: {}",
                unwritable(&error)
            ),
        };
        anyhow!(error).context(sentence)
    })
}
