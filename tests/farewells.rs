//! What a server hears of a call that is dropped just before its connection ends.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use axum::http::Method;
use stakeout::mcp::Reach;

use support::web::{Web, stream};
use support::{Lab, abandon, address, connect};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn w10_a_call_dropped_just_before_the_end_is_cancelled_over_stdio() {
    for _ in 0..10 {
        let lab = Lab::new();
        let connection = lab.connect("plain").await;
        abandon(&connection, "hang", || lab.seen().contains("\"hang\"")).await;
        connection.close().await;
        let seen = lab.seen();
        assert!(seen.contains("notifications/cancelled"), "{seen}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn w10_a_call_dropped_just_before_the_end_is_cancelled_over_http() {
    for _ in 0..10 {
        let web = Web::scripted(|script| match script.tool() {
            Some("hang") => stream(futures::stream::pending()),
            _ => script.usual(),
        })
        .await;
        let connection = connect(Reach::Http(address(&web.url("/mcp")))).await;
        abandon(&connection, "hang", || web.saw("\"hang\"")).await;
        connection.close().await;
        assert!(web.saw("notifications/cancelled"));
        let last = web.requests().pop().unwrap();
        assert_eq!(last.method, Method::DELETE, "the session ends last");
    }
}

#[tokio::test]
async fn a_task_dropped_just_before_the_end_is_cancelled() {
    let lab = Lab::new();
    let connection = lab.connect("stateless").await;
    abandon(&connection, "endless", || lab.seen().contains("tasks/get")).await;
    connection.close().await;
    assert!(lab.seen().contains("tasks/cancel"), "{}", lab.seen());
}
