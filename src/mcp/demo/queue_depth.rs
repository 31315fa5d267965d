//! A queue that drains: a number, as structured output with a schema.

use serde_json::{Value, json};

use super::answer::{Answer, Outcome};
use super::arguments::{Arguments, Kind, Parameter, SEED, duration};
use super::simulation::{Chance, Moment, part};
use super::{DemoTool, Suggestion};

pub(super) const TOOL: DemoTool = DemoTool {
    name: "queue_depth",
    title: "Queue depth",
    description: "a simulated queue that drains, as structured output",
    parameters: &[
        Parameter {
            name: "queue",
            description: "The queue's name",
            kind: Kind::Name { default: "orders" },
        },
        Parameter {
            name: "depth",
            description: "How many messages are in it at first",
            kind: Kind::Integer {
                default: 480,
                min: 0,
                max: 1_000_000,
            },
        },
        duration(12),
        SEED,
    ],
    output_schema: Some(output_schema),
    look,
    suggestion: || Suggestion {
        args: json!({ "queue": "orders", "depth": 480 }),
        until: json!({ "matches": r#""depth": 0\b"# }),
        extensions: json!({}),
    },
};

fn output_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "queue": { "type": "string", "description": "The queue's name" },
            "depth": { "type": "integer", "minimum": 0, "description": "Messages in the queue" },
            "consumers": { "type": "integer", "minimum": 0, "description": "Consumers at work" },
            "drained": { "type": "boolean", "description": "Whether it is empty" },
        },
        "required": ["queue", "depth", "consumers", "drained"],
        "additionalProperties": false,
    })
}

fn look(arguments: &Arguments, moment: &Moment) -> Answer {
    let chance = Chance(arguments.integer("seed"));
    let seconds = arguments.integer("duration_sec");
    let share = moment.share_of(seconds);
    let depth = arguments.integer("depth");
    let left = depth - part(depth, drained(chance, share, seconds));
    Answer::now(Outcome::Structured(json!({
        "queue": arguments.text("queue"),
        "depth": left,
        "consumers": if left == 0 { 0 } else { 2 + chance.below(moment.elapsed.as_secs() / 5, 3) },
        "drained": left == 0,
    })))
}

/// The part that is gone after a share of the duration: each second takes its own amount, so the
/// number falls unevenly, and all of it at the end.
fn drained(chance: Chance, share: f64, seconds: u64) -> f64 {
    let rate = |second: u64| 0.4 + chance.draw(1000 + second);
    let passed = share * seconds as f64;
    let whole = part(seconds, share);
    let total: f64 = (0..seconds).map(rate).sum();
    let gone: f64 = (0..whole).map(rate).sum::<f64>() + (passed - whole as f64) * rate(whole);
    if share >= 1.0 { 1.0 } else { gone / total }
}
