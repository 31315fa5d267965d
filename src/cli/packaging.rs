//! What packagers ship beside the binary: completions and manual pages.
//!
//! Owns neither flags nor their words: both come from the command line's own definition.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use super::flags::Arguments;
use super::output;

/// Prints what completes this command line in `shell`.
///
/// # Errors
/// Where it can't be printed.
pub async fn completions(shell: Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "stakeout", &mut script);
    output::print(String::from_utf8(script)?).await?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual page of `command`, or of stakeout itself.
///
/// # Errors
/// A sentence, where there is no such command, or where the page can't be printed.
pub async fn man(command: Option<&str>) -> anyhow::Result<ExitCode> {
    // Its page would say no more than the others do.
    let mut whole = Arguments::command().disable_help_subcommand(true);
    whole.build();
    let described = match command {
        None => whole,
        Some(name) => {
            let found = whole.find_subcommand(name).cloned();
            found.ok_or_else(|| {
                anyhow::anyhow!("{name} is no command of stakeout; stakeout --help lists them")
            })?
        }
    };
    let mut page = Vec::new();
    Man::new(described)
        .source(concat!("stakeout ", env!("CARGO_PKG_VERSION")))
        .render(&mut page)?;
    output::print(String::from_utf8(page)?).await?;
    Ok(ExitCode::SUCCESS)
}
