//! A rollout of N replicas, as the table that an operator knows. It can crash-loop.

use serde_json::json;

use super::answer::Answer;
use super::arguments::{Arguments, Kind, Parameter, SEED, duration};
use super::simulation::{Chance, Moment, part};
use super::{DemoTool, FIRST_TOOL, Suggestion};

pub(super) const TOOL: DemoTool = DemoTool {
    name: FIRST_TOOL,
    title: "Rollout status",
    description: "a simulated rollout, as a table",
    parameters: &[
        Parameter {
            name: "deployment",
            description: "The deployment's name",
            kind: Kind::Name { default: "web" },
        },
        Parameter {
            name: "replicas",
            description: "How many replicas are wanted",
            kind: Kind::Integer {
                default: 3,
                min: 1,
                max: 50,
            },
        },
        Parameter {
            name: "crash_loop",
            description: "Whether the last replica crashes again and again, so that it never ends",
            kind: Kind::Flag { default: false },
        },
        duration(12),
        SEED,
    ],
    output_schema: None,
    look,
    suggestion: || Suggestion {
        args: json!({ "deployment": "web", "replicas": 3, "crash_loop": false }),
        until: json!({ "matches": r"(?m)^web\s+3/3" }),
        extensions: json!({}),
    },
};

/// The share of the duration after which no more replicas are started.
const ALL_STARTED: f64 = 0.4;

fn look(arguments: &Arguments, moment: &Moment) -> Answer {
    let chance = Chance(arguments.integer("seed"));
    let name = arguments.text("deployment");
    let replicas = arguments.integer("replicas");
    let share = moment.share_of(arguments.integer("duration_sec"));
    let crashing = arguments.flag("crash_loop");

    let started = |replica: u64| share >= start_of(chance, replica, replicas);
    let updated = (0..replicas).filter(|replica| started(*replica)).count();
    let healthy = if crashing { replicas - 1 } else { replicas };
    let ready = (0..healthy)
        .filter(|replica| share >= ready_at(chance, *replica, replicas))
        .count();
    let mut table = table(name, ready, replicas, updated);
    if crashing && share >= ALL_STARTED {
        let since = (share - ALL_STARTED) / (1.0 - ALL_STARTED);
        // It backs off for longer and longer, so restarts come ever more rarely.
        let restarts = 1 + part(5, since) + moment.elapsed.as_secs() / 60;
        let pod = pod_name(chance, name);
        table.push_str(&format!(
            "\n\npod {pod}  CrashLoopBackOff  {restarts} restarts"
        ));
    }
    Answer::text(table)
}

/// When a replica is started, as a share of the duration; the first one at once.
fn start_of(chance: Chance, replica: u64, replicas: u64) -> f64 {
    let jitter = if replica == 0 {
        0.0
    } else {
        0.8 * chance.draw(2 * replica)
    };
    (replica as f64 + jitter) / replicas as f64 * ALL_STARTED
}

/// When a replica is ready, as a share of the duration; the last one at its end.
fn ready_at(chance: Chance, replica: u64, replicas: u64) -> f64 {
    let last = replica + 1 == replicas;
    let jitter = if last {
        0.0
    } else {
        0.8 * chance.draw(2 * replica + 1)
    };
    (1.0 - (replicas - 1 - replica) as f64 / replicas as f64 * 0.7 - jitter * 0.3 / replicas as f64)
        .min(1.0)
}

/// The columns are as wide as their titles, the first one as the name at least.
fn table(name: &str, ready: usize, replicas: u64, updated: usize) -> String {
    let width = name.len().max("DEPLOYMENT".len());
    let ready_of = format!("{ready}/{replicas}");
    format!(
        "{:width$}  READY  UP-TO-DATE  AVAILABLE\n{name:width$}  {ready_of:<5}  {updated:<10}  {ready}",
        "DEPLOYMENT"
    )
}

/// A pod's name as a cluster makes it: the deployment, a hash of its template, and five letters.
fn pod_name(chance: Chance, deployment: &str) -> String {
    // The alphabet leaves out vowels and look-alikes, as the original does.
    const LETTERS: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
    let word = |from: u64, length: u64| -> String {
        (from..from + length)
            .filter_map(|index| {
                let letter = usize::try_from(chance.below(index, LETTERS.len() as u64)).ok()?;
                LETTERS.get(letter).map(|letter| char::from(*letter))
            })
            .collect()
    };
    format!("{deployment}-{}-{}", word(1000, 10), word(2000, 5))
}
