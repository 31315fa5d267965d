//! The wait contract: every vector, on a paused clock.
//!
//! `WAIT_VECTORS=<folder>` runs the same test on another folder's `*.json`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/vectors.rs"]
mod vectors;

use serde_json::json;
use stakeout::wait::{Call, Chain, Ending, Outcome, WaitFailure, engine};
use tokio_util::sync::CancellationToken;

use vectors::{Case, Expect, Script};

async fn run(case: &Case) -> Ending {
    let call = Call::parse(&case.call)
        .map_err(|refusal| WaitFailure::before_the_first_sample(refusal.into()))?;
    let mut script = Script {
        steps: &case.probe,
        next: 0,
    };
    let stop = CancellationToken::new();
    engine::run(&mut script, &mut Chain::new(call), &mut |_| {}, &stop).await
}

/// What is wrong with the answer, if anything is.
fn difference(expect: &Expect, ending: &Ending) -> Option<String> {
    let got = serde_json::to_value(Outcome::from(ending)).unwrap();
    match expect {
        Expect::Result(expected) => {
            let got = &got["result"];
            let mut expected = expected.clone();
            if let Some(text) = expected["last_observation"]["text"].as_str() {
                let times = expected["last_observation"]["times"].as_u64().unwrap();
                expected["last_observation"] = json!(text.repeat(usize::try_from(times).unwrap()));
            }
            (*got != expected).then(|| format!("expected {expected:.300}, got {got:.300}"))
        }
        Expect::Error(expected) => {
            let error = &got["error"];
            expected
                .as_object()
                .unwrap()
                .iter()
                .find_map(|(key, value)| {
                    let holds = if key == "message_contains" {
                        error["message"]
                            .as_str()
                            .unwrap_or("")
                            .contains(value.as_str().unwrap())
                    } else {
                        &error[key] == value
                    };
                    (!holds).then(|| format!("expected {key} {value}, got {got:.300}"))
                })
        }
    }
}

#[test]
fn every_vector_gives_its_one_right_answer() {
    let mut cases = 0;
    let mut wrong = Vec::new();
    for file in vectors::files() {
        for case in &vectors::read(&file) {
            cases += 1;
            let ending = vectors::paused().block_on(run(case));
            if let Some(difference) = difference(&case.expect, &ending) {
                wrong.push(format!("{} · {}: {difference}", file.display(), case.name));
            }
        }
    }
    assert!(cases > 0, "no vectors found");
    assert!(
        wrong.is_empty(),
        "{} of {cases} are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
