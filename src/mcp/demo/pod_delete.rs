//! A pod that is Terminating for a while, then gone: a NotFound error.

use serde_json::json;

use super::answer::{Answer, Outcome};
use super::arguments::{Arguments, Kind, Parameter, SEED, duration};
use super::simulation::{Chance, Moment};
use super::{DemoTool, Suggestion};

pub(super) const TOOL: DemoTool = DemoTool {
    name: "pod_delete",
    title: "Pod being deleted",
    description: "a simulated pod: Terminating for a while, then a NotFound error",
    parameters: &[
        Parameter {
            name: "pod",
            description: "The pod's name",
            kind: Kind::Name {
                default: "web-6d4cf56db6-x7k2p",
            },
        },
        duration(9),
        SEED,
    ],
    output_schema: None,
    look,
    suggestion: || Suggestion {
        args: json!({ "pod": "web-6d4cf56db6-x7k2p" }),
        until: json!({ "matches": "NotFound" }),
        extensions: json!({}),
    },
};

/// How old the pod is when it is first looked at: a little over five minutes.
const AGE_SEC: u64 = 312;

fn look(arguments: &Arguments, moment: &Moment) -> Answer {
    let chance = Chance(arguments.integer("seed"));
    let pod = arguments.text("pod");
    let share = moment.share_of(arguments.integer("duration_sec"));
    if share >= 1.0 {
        let message = format!("Error from server (NotFound): pods \"{pod}\" not found");
        return Answer::now(Outcome::ToolError(message));
    }
    // Its container stops somewhere in the middle; then only the object is left.
    let ready = if share < 0.3 + 0.4 * chance.draw(0) {
        "1/1"
    } else {
        "0/1"
    };
    let age = AGE_SEC + moment.elapsed.as_secs();
    let age = format!("{}m{}s", age / 60, age % 60);
    let width = pod.len();
    Answer::text(format!(
        "{:width$}  READY  STATUS       RESTARTS  AGE\n\
         {pod:width$}  {ready:<5}  Terminating  0         {age}",
        "NAME"
    ))
}
