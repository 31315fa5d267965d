//! A service whose status is hard to get: tool errors, failed calls and slow answers, then health.

use std::time::Duration;

use serde_json::json;

use super::answer::{Answer, Outcome, Progress};
use super::arguments::{Arguments, Kind, Parameter, SEED};
use super::simulation::{Chance, Moment, part, percent};
use super::{DemoTool, Suggestion};

pub(super) const TOOL: DemoTool = DemoTool {
    name: "flaky_status",
    title: "Flaky status",
    description: "a simulated service: tool errors, failed calls and slow answers, then healthy",
    parameters: &[
        Parameter {
            name: "service",
            description: "The service's name",
            kind: Kind::Name {
                default: "checkout",
            },
        },
        Parameter {
            name: "tool_errors",
            description: "How many answers are errors of the tool",
            kind: Kind::Integer {
                default: 3,
                min: 0,
                max: 50,
            },
        },
        Parameter {
            name: "failed_calls",
            description: "How many calls fail altogether, answered with a protocol error",
            kind: Kind::Integer {
                default: 2,
                min: 0,
                max: 50,
            },
        },
        Parameter {
            name: "latency_ms",
            description: "How slow an answer gets before it is healthy, in milliseconds",
            kind: Kind::Integer {
                default: 600,
                min: 0,
                max: 60_000,
            },
        },
        SEED,
    ],
    output_schema: None,
    look,
    suggestion: || Suggestion {
        args: json!({
            "service": "checkout", "tool_errors": 3, "failed_calls": 2, "latency_ms": 600,
        }),
        until: json!({ "matches": r"\bhealthy\b" }),
        extensions: json!({ "retry_errors": 2 }),
    },
};

/// Good answers among the bad ones, before the service is healthy.
const DEGRADED_ANSWERS: u64 = 3;

/// How many backends a slow answer asks, one after the other.
const BACKENDS: u32 = 4;

/// What one of the calls before health meets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    Degraded,
    ToolError,
    FailedCall,
}

fn look(arguments: &Arguments, moment: &Moment) -> Answer {
    let chance = Chance(arguments.integer("seed"));
    let service = arguments.text("service");
    let troubles = troubles(arguments, chance);
    let met = usize::try_from(moment.calls)
        .ok()
        .and_then(|call| troubles.get(call));
    let Some(trouble) = met else {
        return Answer::text(format!("service {service}: healthy\nerror rate: 0.0%"));
    };
    let outcome = match trouble {
        Trouble::Degraded => Outcome::Text(format!(
            "service {service}: degraded\nerror rate: {:.1}%",
            5.0 + 40.0 * chance.draw(3000 + moment.calls)
        )),
        Trouble::ToolError => {
            Outcome::ToolError(format!("service {service}: upstream answered 503"))
        }
        Trouble::FailedCall => Outcome::FailedCall(format!(
            "service {service}: the backend reset the connection"
        )),
    };
    let slowest = arguments.integer("latency_ms");
    let latency = part(slowest, 0.25 + 0.75 * chance.draw(4000 + moment.calls));
    let latency = Duration::from_millis(latency);
    Answer {
        latency,
        progress: backends_asked(latency),
        outcome,
    }
}

/// A slow answer says which of its backends it is asking.
fn backends_asked(latency: Duration) -> Vec<Progress> {
    if latency.is_zero() {
        return Vec::new();
    }
    (0..BACKENDS)
        .map(|backend| Progress {
            after: latency * backend / BACKENDS,
            percent: percent(f64::from(backend) / f64::from(BACKENDS)),
            message: format!("asking backend {} of {BACKENDS}", backend + 1),
        })
        .collect()
}

/// The troubles in the order that the seed says.
fn troubles(arguments: &Arguments, chance: Chance) -> Vec<Trouble> {
    let times = |trouble, count: u64| (0..count).map(move |_| trouble);
    let mut troubles: Vec<Trouble> = times(Trouble::Degraded, DEGRADED_ANSWERS)
        .chain(times(Trouble::ToolError, arguments.integer("tool_errors")))
        .chain(times(
            Trouble::FailedCall,
            arguments.integer("failed_calls"),
        ))
        .collect();
    for last in (1..troubles.len()).rev() {
        let drawn = chance.below(2000 + last as u64, last as u64 + 1);
        troubles.swap(last, usize::try_from(drawn).unwrap_or(last));
    }
    troubles
}
