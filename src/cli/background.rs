//! Writing beside everything else: neither a reader that doesn't read nor a slow disk keeps a wait
//! from going on or a signal from being heard.

use std::io;

use tokio::task::JoinHandle;

/// Values that are written one after the other, on a thread of their own.
pub struct Background<T> {
    values: std::sync::mpsc::Sender<T>,
    writing: JoinHandle<io::Result<()>>,
}

impl<T: Send + 'static> Background<T> {
    /// Writes each value with `write`, until one can't be written.
    #[must_use]
    pub fn new(write: impl FnMut(T) -> io::Result<()> + Send + 'static) -> Self {
        Self::after(|| Ok(()), write)
    }

    /// Does `first` at once, and then writes each value with `write`, until one can't be written.
    #[must_use]
    pub fn after(
        first: impl FnOnce() -> io::Result<()> + Send + 'static,
        mut write: impl FnMut(T) -> io::Result<()> + Send + 'static,
    ) -> Self {
        let (values, written) = std::sync::mpsc::channel();
        let writing = tokio::task::spawn_blocking(move || {
            first()?;
            written.into_iter().try_for_each(&mut write)
        });
        Self { values, writing }
    }

    /// Adds a value. After a failure nothing happens.
    pub fn add(&self, value: T) {
        let _ = self.values.send(value);
    }

    /// Waits until all is written.
    ///
    /// # Errors
    /// Why a value could not be written.
    pub async fn finish(self) -> io::Result<()> {
        drop(self.values);
        self.writing.await?
    }

    /// Waits for a failure, and leaves nothing behind it; for ever, where nothing is written.
    pub async fn failure_of(this: &mut Option<Self>) -> io::Error {
        let Some(background) = this else {
            return std::future::pending().await;
        };
        let outcome = (&mut background.writing).await;
        *this = None;
        match outcome {
            Ok(Err(error)) => error,
            // It ends without a failure only after `finish`.
            Ok(Ok(())) => io::ErrorKind::UnexpectedEof.into(),
            Err(error) => error.into(),
        }
    }
}
