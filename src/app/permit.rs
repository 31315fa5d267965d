//! Who may be probed, where not every tool may.
//!
//! Owns the question. The answer is the caller's: an operator at a screen may probe what he likes.

use std::sync::Arc;

use crate::mcp::Tool;
use crate::wait::WaitError;

/// A tool that is about to be probed.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'a> {
    /// The server's name here.
    pub server: &'a str,
    /// What the server calls itself, with its version.
    pub software: Option<&'a str>,
    /// The tool, as the server describes it now.
    pub tool: &'a Tool,
}

/// Says why a tool may not be probed, if it may not.
pub type Permit = Arc<dyn Fn(Candidate<'_>) -> Result<(), String> + Send + Sync>;

/// The error of a candidate that `permit` turns away; without a permit everything is allowed.
pub(super) fn check(permit: Option<&Permit>, candidate: Candidate<'_>) -> Result<(), WaitError> {
    let allowed = permit.map_or(Ok(()), |permit| permit(candidate));
    allowed.map_err(|reason| WaitError::ProbeNotAllowed {
        server: candidate.server.to_owned(),
        tool: candidate.tool.name.clone(),
        reason,
    })
}
