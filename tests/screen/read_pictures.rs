//! What reading a text looks like: a search, numbers, JSON, and the aspects of a result.

use std::sync::Arc;

use serde_json::json;

use crate::compared::quiet_at;
use crate::harness::{Session, picture, pictures, rollout};
use crate::pictures::SIZES;

fn builds() -> Arc<str> {
    let jobs: Vec<_> = (1..=9)
        .map(|job| json!({ "job": job, "status": if job < 4 { "success" } else { "queued" }, "log": null }))
        .collect();
    format!("{:#}", json!({ "run_id": 4211, "jobs": jobs })).into()
}

#[test]
fn a_search_with_numbers_in_json() {
    for (columns, rows) in SIZES {
        let mut session = Session::at(columns, rows);
        session.keys("r").round(1).sample(1, 0, &builds());
        session.keys("# /").types("success");
        picture!(format!("search_typed_{columns}x{rows}"), session);
        session.keys("Enter n");
        picture!(format!("search_kept_{columns}x{rows}"), session);
    }
}

#[test]
fn a_diff_with_numbers() {
    let mut session = Session::start();
    session.keys("r #").round(1).sample(1, 0, &rollout(1));
    session.sample(2, 1000, &rollout(2));
    pictures!("diff_numbers", session);
}

#[test]
fn the_aspects_of_a_result() {
    let text = "fetching\r\n10%\r55%\r100%\r\ndone\r\n";
    let result = json!({ "content": [
        { "type": "text", "text": text, "annotations": { "audience": ["user"], "priority": 0.5 } },
        { "type": "resource_link", "uri": "file:///var/log/fetch.log", "name": "log", "size": 2048 },
    ] });
    for (columns, rows) in SIZES {
        let mut session = Session::at(columns, rows);
        session.results.insert(1, result.clone());
        session.keys("r").round(1).sample(1, 0, &Arc::from(text));
        for aspect in ["observation", "final_state", "blocks", "raw"] {
            picture!(format!("aspect_{aspect}_{columns}x{rows}"), session);
            session.keys("v");
        }
    }
    let mut session = Session::start();
    session
        .keys("t")
        .tried_with(text, false, result)
        .keys("Shift-Tab v v");
    pictures!("aspect_of_a_try", session);
}

#[test]
fn what_is_compared() {
    for (columns, rows) in SIZES {
        let mut session = quiet_at(columns, rows);
        if columns == 60 {
            session.keys("Shift-Tab Shift-Tab");
        }
        picture!(format!("compared_{columns}x{rows}"), session);
    }
}
