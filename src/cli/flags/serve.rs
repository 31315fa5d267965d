//! The flags of `serve`.

use std::path::PathBuf;

use clap::Args;

use super::ServerFlags;
use crate::text::parse_seconds;
use crate::wait::{Bounds, DEFAULT_MAX_WAIT_SEC, MAX_WAIT_CAP_SEC};

/// The shortest budget: the default poll, and a second to look in.
const SHORTEST_CAP: u64 = 3;

/// The flags of `serve`.
#[derive(Debug, Args)]
pub struct ServeFlags {
    /// Let this tool be probed though it doesn't say that it only reads; globs, such as 'ci/get_*'
    #[arg(long, value_name = "SERVER/TOOL", help_heading = "Probes")]
    pub allow: Vec<String>,
    /// The budget of a wait whose caller doesn't say; at most the cap [default: 120s]
    #[arg(long, value_name = "DURATION", value_parser = parse_cap, help_heading = "Budget")]
    default_max_wait: Option<u64>,
    /// The longest that one call may wait, for hosts that cut off longer ones; at most 300s
    /// [default: 300s]
    #[arg(long, value_name = "DURATION", value_parser = parse_cap, help_heading = "Budget")]
    max_wait_cap: Option<u64>,
    /// How many waits may run at once, at most 1000
    #[arg(long, value_name = "N", default_value_t = 100, help_heading = "Budget")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub max_waits: u16,
    /// Record every wait, in this folder or where waits are recorded anyway
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, help_heading = "Output")]
    pub record: Option<Option<PathBuf>>,
    /// Serve over streamable HTTP, at /mcp, instead of stdin and stdout; beyond this machine only
    /// with a token, from STAKEOUT_TOKEN or --token-file
    #[arg(long, value_name = "HOST:PORT", help_heading = "HTTP")]
    pub http: Option<String>,
    /// A file with the token that callers must bring, over STAKEOUT_TOKEN
    #[arg(long, value_name = "FILE", requires = "http", help_heading = "HTTP")]
    pub token_file: Option<PathBuf>,
    /// A name under which this server is reached, beside localhost; where any is given, others are
    /// refused
    #[arg(long, value_name = "HOST", requires = "http", help_heading = "HTTP")]
    pub allow_host: Vec<String>,
    /// An origin whose web pages may call, such as https://app.example.com
    #[arg(long, value_name = "ORIGIN", requires = "http", help_heading = "HTTP")]
    pub allow_origin: Vec<String>,
    /// Which servers there are.
    #[command(flatten)]
    pub servers: ServerFlags,
}

impl ServeFlags {
    /// How long one call may wait.
    ///
    /// # Errors
    /// A sentence, where the default is over the cap.
    pub fn bounds(&self) -> Result<Bounds, String> {
        let cap = self.max_wait_cap.unwrap_or(MAX_WAIT_CAP_SEC);
        let default = match self.default_max_wait {
            Some(default) if default > cap => {
                return Err(format!(
                    "--default-max-wait {default}s is over --max-wait-cap {cap}s; lower it, or raise the cap"
                ));
            }
            Some(default) => default,
            None => DEFAULT_MAX_WAIT_SEC.min(cap),
        };
        Ok(Bounds {
            default_max_wait_sec: default,
            max_wait_cap_sec: cap,
        })
    }
}

fn parse_cap(text: &str) -> Result<u64, String> {
    match parse_seconds(text)? {
        seconds @ SHORTEST_CAP..=MAX_WAIT_CAP_SEC => Ok(seconds),
        seconds => Err(format!(
            "{seconds} s is no budget here; it must be from {SHORTEST_CAP} to {MAX_WAIT_CAP_SEC} s"
        )),
    }
}
