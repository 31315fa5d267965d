//! A job's log that grows and then goes quiet.

use serde_json::json;

use super::answer::Answer;
use super::arguments::{Arguments, Kind, Parameter, SEED, duration};
use super::simulation::{Chance, Moment};
use super::{DemoTool, Suggestion};

pub(super) const TOOL: DemoTool = DemoTool {
    name: "job_logs",
    title: "Job logs",
    description: "a simulated log that grows and then goes quiet",
    parameters: &[
        Parameter {
            name: "job",
            description: "The job's name",
            kind: Kind::Name {
                default: "nightly-import",
            },
        },
        Parameter {
            name: "lines",
            description: "How many lines it writes",
            kind: Kind::Integer {
                default: 24,
                min: 2,
                max: 2000,
            },
        },
        duration(10),
        SEED,
    ],
    output_schema: None,
    look,
    suggestion: || Suggestion {
        args: json!({ "job": "nightly-import", "lines": 24 }),
        until: json!({ "quiet_for_sec": 4 }),
        extensions: json!({}),
    },
};

fn look(arguments: &Arguments, moment: &Moment) -> Answer {
    let chance = Chance(arguments.integer("seed"));
    let lines = arguments.integer("lines");
    let seconds = arguments.integer("duration_sec");
    let share = moment.share_of(seconds);
    let log: Vec<String> = (0..lines)
        .map(|line| (line, written_at(chance, line, lines)))
        .take_while(|(_, at)| *at <= share)
        .map(|(line, at)| {
            let stamp = at * seconds as f64;
            let words = words(chance, arguments.text("job"), line, lines);
            format!("{stamp:8.3}s  {words}")
        })
        .collect();
    Answer::text(log.join("\n"))
}

/// When a line is written, as a share of the duration: the first at once, the last at its end.
fn written_at(chance: Chance, line: u64, lines: u64) -> f64 {
    let last = lines - 1;
    let jitter = if line == 0 || line == last {
        0.0
    } else {
        0.9 * chance.draw(line)
    };
    (line as f64 + jitter) / last as f64
}

fn words(chance: Chance, job: &str, line: u64, lines: u64) -> String {
    let rows = 500 + chance.below(line, 1500);
    if line == 0 {
        format!("INFO  {job}: started, {} batches", lines - 2)
    } else if line + 1 == lines {
        format!("INFO  {job}: all batches written")
    } else if chance.below(1_000_000 + line, 8) == 0 {
        format!("WARN  batch {line}: {rows} rows, one of them skipped")
    } else {
        format!("INFO  batch {line}: {rows} rows")
    }
}
