//! Answers over HTTP that are neither a result nor a clear refusal: no call hangs on them.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::StreamExt;
use serde_json::json;
use stakeout::mcp::{Connection, Reach};

use support::web::{Script, Web, stream};
use support::{address, at_once, call, connect};

async fn http(web: &Web) -> Connection {
    connect(Reach::Http(address(&web.url("/mcp")))).await
}

#[tokio::test]
async fn a_call_that_is_only_accepted_fails_where_no_stream_could_bring_its_result() {
    for status in [StatusCode::ACCEPTED, StatusCode::NO_CONTENT] {
        let web = Web::scripted(move |script| match script.tool() {
            Some("accepted") => status.into_response(),
            _ => script.usual(),
        })
        .await;
        let connection = http(&web).await;
        // The server has said by now that it has no stream: it was asked when we connected.
        support::eventually("it was asked", || {
            web.requests()
                .iter()
                .any(|request| request.method == Method::GET)
        })
        .await;
        assert!(call(&connection, "echo").await.is_ok());
        let failure = at_once(call(&connection, "accepted")).await.unwrap_err();
        assert!(failure.cause.contains("no result"), "{failure:?}");
        assert!(call(&connection, "echo").await.is_ok());
    }
}

#[tokio::test]
async fn an_error_without_an_id_in_the_stream_of_a_call_is_that_calls() {
    let web = Web::scripted(|script| match script.tool() {
        Some("bad") => {
            let error = json!({"code": -32602, "message": "no such thing"});
            let message = json!({"jsonrpc": "2.0", "id": null, "error": error});
            let event = Ok(format!("data: {message}\n\n"));
            // The stream stays open behind it.
            stream(futures::stream::iter([event]).chain(futures::stream::pending()))
        }
        Some("hang") => stream(futures::stream::pending()),
        _ => script.usual(),
    })
    .await;
    let connection = http(&web).await;
    // Another call waits, so the error could be meant for either.
    let hanging = {
        let connection = connection.clone();
        tokio::spawn(async move { call(&connection, "hang").await.is_ok() })
    };
    support::eventually("the other call waits", || web.saw("\"hang\"")).await;
    let failure = at_once(call(&connection, "bad")).await.unwrap_err();
    assert!(failure.cause.contains("no such thing"), "{failure:?}");
    assert!(!hanging.is_finished());
    hanging.abort();
}

/// A refusal whose explanation begins and never ends.
fn stalled(status: StatusCode) -> Response {
    let begun = futures::stream::iter([Ok::<_, std::io::Error>("overloaded, ".to_owned())]);
    let body = Body::from_stream(begun.chain(futures::stream::pending()));
    (status, [(header::CONTENT_TYPE, "text/plain")], body).into_response()
}

#[tokio::test]
async fn an_explanation_that_never_ends_is_not_waited_for() {
    for status in [StatusCode::SERVICE_UNAVAILABLE, StatusCode::FORBIDDEN] {
        let web = Web::scripted(move |script| match script.tool() {
            Some("stalls") => stalled(status),
            _ => script.usual(),
        })
        .await;
        let connection = http(&web).await;
        let failure = at_once(call(&connection, "stalls")).await.unwrap_err();
        assert!(failure.cause.contains("overloaded"), "{failure:?}");
    }
}

#[tokio::test]
async fn a_server_that_breaks_over_an_unknown_method_is_initialised_instead() {
    let web = Web::scripted(|script| match script.body["method"].as_str() {
        Some("server/discover") => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        _ => script.usual(),
    })
    .await;
    let connection = http(&web).await;
    assert_eq!(connection.protocol_version(), "2025-11-25");
    assert!(call(&connection, "echo").await.is_ok());
}

#[tokio::test]
async fn a_call_that_the_legacy_transport_refuses_is_not_the_end_of_its_stream() {
    let web = Web::legacy_refusing("/messages", "refused").await;
    let connection = connect(Reach::Sse(address(&web.url("/sse")))).await;
    let failure = at_once(call(&connection, "refused")).await.unwrap_err();
    assert!(failure.cause.starts_with("HTTP 503"), "{failure:?}");
    assert!(!support::lost(&failure));
    assert!(call(&connection, "echo").await.is_ok());
}

#[tokio::test]
async fn null_beside_a_result_or_an_error_is_nothing() {
    let web = Web::scripted(|script: &Script| {
        let id = &script.body["id"];
        match script.tool() {
            Some("null-error") => axum::Json(json!({"jsonrpc": "2.0", "id": id, "error": null,
                "result": {"content": [{"type": "text", "text": "fine"}]}}))
            .into_response(),
            Some("null-result") => axum::Json(json!({"jsonrpc": "2.0", "id": id, "result": null,
                "error": {"code": -32602, "message": "wrong"}}))
            .into_response(),
            _ => script.usual(),
        }
    })
    .await;
    let connection = http(&web).await;
    assert_eq!(call(&connection, "null-error").await.unwrap().text, "fine");
    let failure = call(&connection, "null-result").await.unwrap_err();
    assert!(failure.cause.contains("-32602: wrong"), "{failure:?}");
}
