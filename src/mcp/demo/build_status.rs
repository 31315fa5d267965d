//! A build: queued, running step by step, then succeeded or failed.

use std::time::Duration;

use serde_json::json;

use super::answer::{Answer, Progress};
use super::arguments::{Arguments, Kind, Parameter, SEED, duration};
use super::simulation::{Chance, Moment, percent};
use super::{DemoTool, Suggestion};

pub(super) const TOOL: DemoTool = DemoTool {
    name: "build_status",
    title: "Build status",
    description: "a simulated build: queued, running, then succeeded or failed",
    parameters: &[
        Parameter {
            name: "build",
            description: "The build's number or name",
            kind: Kind::Name { default: "4211" },
        },
        Parameter {
            name: "outcome",
            description: "How it ends",
            kind: Kind::Choice {
                default: "succeeded",
                values: &["succeeded", "failed"],
            },
        },
        duration(12),
        SEED,
    ],
    output_schema: None,
    look,
    suggestion: || Suggestion {
        args: json!({ "build": "4211", "outcome": "succeeded" }),
        until: json!({ "matches": r"status: succeeded" }),
        extensions: json!({ "fail_when": r"status: failed" }),
    },
};

/// The steps, each with the share of the work that is done when it ends.
const STEPS: [(&str, f64); 5] = [
    ("check out", 0.08),
    ("compile", 0.45),
    ("unit tests", 0.70),
    ("integration tests", 0.92),
    ("package", 1.0),
];

fn look(arguments: &Arguments, moment: &Moment) -> Answer {
    let chance = Chance(arguments.integer("seed"));
    let seconds = arguments.integer("duration_sec");
    let failing = arguments.text("outcome") == "failed";
    let title = format!("build {}", arguments.text("build"));
    let share = moment.share_of(seconds);
    let queued = 0.1 + 0.15 * chance.draw(0);
    if share < queued {
        let ahead = if share < queued / 2.0 { 2 } else { 1 };
        let text = format!("{title}\nstatus: queued\nahead in the queue: {ahead}");
        return with_progress(text, 0, "queued".to_owned());
    }
    // A failing build stops on the way.
    let limit = if failing {
        0.3 + 0.65 * chance.draw(1)
    } else {
        1.0
    };
    let done = (share - queued) / (1.0 - queued) * limit;
    let step = STEPS.iter().position(|(_, end)| done < *end);
    let number = step.unwrap_or(STEPS.len() - 1);
    let (name, count) = (STEPS[number].0, STEPS.len());
    let at = format!("step: {}/{count} {name}", number + 1);
    if share < 1.0 {
        let percent = percent(done);
        let text = format!("{title}\nstatus: running\n{at}\nprogress: {percent}%");
        return with_progress(
            text,
            percent,
            format!("{name}, step {} of {count}", number + 1),
        );
    }
    Answer::text(if failing {
        format!("{title}\nstatus: failed\n{at}\nexit code: 1")
    } else {
        format!("{title}\nstatus: succeeded\nsteps: {count}\nduration: {seconds} s")
    })
}

fn with_progress(text: String, percent: u8, message: String) -> Answer {
    Answer {
        progress: vec![Progress {
            after: Duration::ZERO,
            percent,
            message,
        }],
        ..Answer::text(text)
    }
}
