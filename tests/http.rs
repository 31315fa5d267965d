//! Servers over streamable HTTP, in this process: rmcp's own, and hand-written ones that misbehave.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use axum::http::{Method, StatusCode, header};
use axum::response::IntoResponse;
use serde_json::json;
use stakeout::mcp::{Connection, Reach};
use stakeout::wait::Note;

use support::web::{Script, Web, stream};
use support::{abandon, address, at_once, call, call_with, connect, eventually};

async fn http(url: &str) -> Connection {
    connect(Reach::Http(address(url))).await
}

#[tokio::test]
async fn an_rmcp_server_is_spoken_to_in_the_stateless_way() {
    let web = Web::rmcp().await;
    let connection = http(&web.url("/mcp")).await;
    assert_eq!(connection.protocol_version(), "2026-07-28");
    let list = connection.list_tools().await.unwrap();
    assert_eq!(list.tools[0].name, "echo");
    let (observed, notes) = call_with(&connection, "echo", json!({"z": 1, "a": 2})).await;
    assert_eq!(observed.unwrap().text, r#"{"z":1,"a":2}"#);
    assert!(
        notes
            .iter()
            .any(|note| matches!(note, Note::Progress { .. })),
        "{notes:?}"
    );
    let failure = call(&connection, "nope").await.unwrap_err();
    assert!(failure.unknown_tool, "{failure:?}");
    connection.close().await;
    assert!(connection.is_closed());
}

#[tokio::test]
async fn w10_a_dropped_call_is_cancelled_at_an_rmcp_server() {
    let web = Web::rmcp().await;
    let connection = http(&web.url("/mcp")).await;
    abandon(&connection, "hang", || web.saw("hang")).await;
    eventually("the server sees the cancellation", || web.saw("cancelled")).await;
    assert!(call(&connection, "echo").await.is_ok());
}

#[tokio::test]
async fn w10_a_dropped_call_is_cancelled_at_a_server_with_sessions() {
    let web = Web::scripted(|script| match script.tool() {
        // The answer begins and never ends.
        Some("hang") => stream(futures::stream::pending()),
        _ => script.usual(),
    })
    .await;
    let connection = http(&web.url("/mcp")).await;
    assert_eq!(connection.protocol_version(), "2025-11-25");
    abandon(&connection, "hang", || web.saw("\"hang\"")).await;
    eventually("the server sees the cancellation", || {
        web.saw("notifications/cancelled")
    })
    .await;
}

#[tokio::test]
async fn t10_a1_every_request_names_both_types_and_carries_the_headers() {
    let web = Web::scripted(Script::usual).await;
    let mut address = address(&web.url("/mcp"));
    address
        .headers
        .insert("Authorization".to_owned(), "Bearer s3cret".to_owned());
    address
        .headers
        .insert("X-Team".to_owned(), "ops".to_owned());
    let connection = connect(Reach::Http(address)).await;
    call(&connection, "echo").await.unwrap();
    connection.close().await;
    let requests = web.requests();
    assert!(
        requests
            .iter()
            .any(|request| request.method == Method::DELETE)
    );
    for request in &requests {
        let header = |name: &str| {
            request
                .headers
                .get(name)
                .and_then(|value| value.to_str().ok())
        };
        assert_eq!(header("authorization"), Some("Bearer s3cret"));
        assert_eq!(header("x-team"), Some("ops"));
        let ours = concat!("stakeout/", env!("CARGO_PKG_VERSION"));
        assert_eq!(header("user-agent"), Some(ours));
        if request.method == Method::POST {
            assert_eq!(
                header("accept"),
                Some("application/json, text/event-stream")
            );
        }
    }
}

#[tokio::test]
async fn t9_a_forgotten_session_is_initialised_again_and_the_call_goes_on() {
    let by_the_book = (StatusCode::NOT_FOUND, "");
    let as_many_do = (
        StatusCode::BAD_REQUEST,
        r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: No valid session ID provided"},"id":null}"#,
    );
    for forgotten in [by_the_book, as_many_do] {
        let web = Web::scripted(move |script| match script.tool() {
            Some(_) if script.session() == Some("s1") => {
                let json = [(header::CONTENT_TYPE, "application/json")];
                (forgotten.0, json, forgotten.1).into_response()
            }
            _ => script.usual(),
        })
        .await;
        let connection = http(&web.url("/mcp")).await;
        let (observed, notes) = at_once(call_with(&connection, "echo", json!({}))).await;
        assert_eq!(observed.unwrap().text, "usual");
        assert_eq!(
            notes,
            [Note::Reconnecting, Note::Reconnected],
            "the gap is noted"
        );
        assert_eq!(web.calls(), 2, "refused once, answered once");
        assert!(call(&connection, "echo").await.is_ok());
    }
}

#[tokio::test]
async fn a_call_that_was_in_flight_when_the_session_was_renewed_is_a_failed_sample() {
    let web = Web::scripted(|script| match (script.tool(), script.session()) {
        (Some("hang"), _) => stream(futures::stream::pending()),
        (Some(_), Some("s1")) => StatusCode::NOT_FOUND.into_response(),
        _ => script.usual(),
    })
    .await;
    let connection = http(&web.url("/mcp")).await;
    let hanging = {
        let connection = connection.clone();
        tokio::spawn(async move { call(&connection, "hang").await })
    };
    eventually("the call hangs", || web.saw("\"hang\"")).await;
    assert!(call(&connection, "echo").await.is_ok());
    let failure = at_once(hanging).await.unwrap().unwrap_err();
    assert!(failure.cause.contains("re-initialized"), "{failure:?}");
    assert!(!support::lost(&failure));
}

#[tokio::test]
async fn an_answer_that_breaks_off_fails_its_call_at_once() {
    let broken = |with_id: bool| {
        move |script: &Script| match script.tool() {
            Some("break") => {
                let event = if with_id {
                    "id: e1\ndata:\n\n"
                } else {
                    ": hello\n\n"
                };
                let event = Ok(event.into());
                let end = Err(std::io::Error::other("the server died"));
                stream(futures::stream::iter([event, end]))
            }
            _ if script.method == Method::GET => StatusCode::BAD_GATEWAY.into_response(),
            _ => script.usual(),
        }
    };
    for with_id in [false, true] {
        let web = Web::scripted(broken(with_id)).await;
        let connection = http(&web.url("/mcp")).await;
        let failure = at_once(call(&connection, "break")).await.unwrap_err();
        assert!(!support::lost(&failure), "{failure:?}");
        assert!(call(&connection, "echo").await.is_ok());
        assert_eq!(web.calls(), 2, "a call that may have run was sent again");
    }
}

#[tokio::test]
async fn a_server_that_is_down_is_said_and_spoken_to_again_when_it_is_back() {
    let web = Web::scripted(Script::usual).await;
    let connection = http(&web.url("/mcp")).await;
    assert!(call(&connection, "echo").await.is_ok());
    let port = web.stop().await;
    let failure = at_once(call(&connection, "echo")).await.unwrap_err();
    assert!(failure.cause.contains("can't be reached"), "{failure:?}");
    assert!(!support::lost(&failure));
    let _web = Web::scripted_at(port, Script::usual).await;
    assert!(call(&connection, "echo").await.is_ok());
}

#[tokio::test]
async fn unreadable_and_oversized_replies_fail_their_own_call() {
    let as_json =
        |body: String| ([(header::CONTENT_TYPE, "application/json")], body).into_response();
    let as_stream = |body: String| {
        let event: Result<String, std::io::Error> = Ok(format!("data: {body}\n\n"));
        stream(futures::stream::iter([event]))
    };
    for in_stream in [false, true] {
        let web = Web::scripted(move |script| {
            let id = &script.body["id"];
            let body = match script.tool() {
                Some("both") => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}},"error":{{}}}}"#),
                Some("big-number") => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":1e400}}"#),
                Some("huge") => {
                    let text = "a".repeat(17 * 1024 * 1024);
                    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":"{text}"}}}}"#)
                }
                Some("odd") => format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[],"x":{{"b":1,"a":2}},"content":[]}}}}"#
                ),
                _ => return script.usual(),
            };
            if in_stream { as_stream(body) } else { as_json(body) }
        })
        .await;
        let connection = http(&web.url("/mcp")).await;
        for tool in ["both", "big-number"] {
            let failure = at_once(call(&connection, tool)).await.unwrap_err();
            assert!(
                failure.cause.contains("can't be read"),
                "{tool}: {failure:?}"
            );
        }
        let failure = call(&connection, "huge").await.unwrap_err();
        assert!(failure.cause.contains("larger than 16 MiB"), "{failure:?}");
        let odd = call(&connection, "odd").await.unwrap();
        assert_eq!(
            odd.raw.to_string(),
            r#"{"tools":[],"x":{"b":1,"a":2},"content":[]}"#
        );
    }
}

#[tokio::test]
async fn a_reply_that_is_not_to_its_request_fails_its_call_at_once() {
    let web = Web::scripted(|script| match script.tool() {
        Some("other-id") => {
            axum::Json(json!({"jsonrpc": "2.0", "id": 4711, "result": {}})).into_response()
        }
        Some("no-reply") => {
            let method = "notifications/tools/list_changed";
            axum::Json(json!({"jsonrpc": "2.0", "method": method})).into_response()
        }
        Some("error-without-id") => {
            let error = json!({"code": -32602, "message": "no such thing"});
            axum::Json(json!({"jsonrpc": "2.0", "id": null, "error": error})).into_response()
        }
        _ => script.usual(),
    })
    .await;
    let connection = http(&web.url("/mcp")).await;
    for (tool, words) in [
        ("other-id", "4711"),
        ("no-reply", "else than a reply"),
        ("error-without-id", "no such thing"),
    ] {
        let failure = at_once(call(&connection, tool)).await.unwrap_err();
        assert!(failure.cause.contains(words), "{tool}: {failure:?}");
    }
}

#[tokio::test]
async fn calls_that_were_abandoned_take_nobodys_place() {
    let web = Web::scripted(|script| match script.tool() {
        // Headers at once, a body that never comes.
        Some("hang") => {
            let json = [(header::CONTENT_TYPE, "application/json")];
            (json, stream(futures::stream::pending()).into_body()).into_response()
        }
        _ => script.usual(),
    })
    .await;
    let connection = http(&web.url("/mcp")).await;
    for number in 1..=20 {
        abandon(&connection, "hang", || web.calls() == number).await;
    }
    eventually("all cancellations are seen", || {
        web.count("notifications/cancelled") == 20
    })
    .await;
    assert!(at_once(call(&connection, "echo")).await.is_ok());
}

#[tokio::test]
async fn many_slow_calls_run_side_by_side() {
    let web = Web::scripted(|script| match script.tool() {
        Some("hang") => {
            let json = [(header::CONTENT_TYPE, "application/json")];
            (json, stream(futures::stream::pending()).into_body()).into_response()
        }
        _ => script.usual(),
    })
    .await;
    let connection = http(&web.url("/mcp")).await;
    let hanging: Vec<_> = (0..40)
        .map(|_| {
            let connection = connection.clone();
            tokio::spawn(async move { call(&connection, "hang").await })
        })
        .collect();
    eventually("all of them hang", || web.calls() == 40).await;
    assert!(at_once(call(&connection, "echo")).await.is_ok());
    at_once(connection.close()).await;
    for hanging in hanging {
        assert!(support::lost(&at_once(hanging).await.unwrap().unwrap_err()));
    }
}

#[tokio::test]
async fn errors_of_the_server_come_through_whatever_their_status() {
    let web = Web::scripted(|script| {
        let error = |code: i64, message: &str| {
            let id = &script.body["id"];
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
        };
        match script.tool() {
            Some("fails") => axum::Json(error(-32603, "disk full")).into_response(),
            Some("fails-with-500") => {
                let json = axum::Json(error(-32603, "disk full"));
                (StatusCode::INTERNAL_SERVER_ERROR, json).into_response()
            }
            Some("gateway") => (StatusCode::BAD_GATEWAY, "upstream is down").into_response(),
            _ => script.usual(),
        }
    })
    .await;
    let connection = http(&web.url("/mcp")).await;
    for tool in ["fails", "fails-with-500"] {
        let observed = call(&connection, tool).await.unwrap();
        assert_eq!(observed.text, "Tool returned an error: disk full");
    }
    let failure = call(&connection, "gateway").await.unwrap_err();
    assert!(failure.cause.contains("502") && failure.cause.contains("upstream is down"));
}

#[tokio::test]
async fn the_legacy_transport_works_and_its_death_is_noticed() {
    let web = Web::legacy("/messages").await;
    let connection = connect(Reach::Sse(address(&web.url("/sse")))).await;
    assert_eq!(connection.protocol_version(), "2025-11-25");
    assert_eq!(call(&connection, "echo").await.unwrap().text, "usual");
    abandon(&connection, "hang", || web.saw("\"hang\"")).await;
    eventually("the server sees the cancellation", || {
        web.saw("notifications/cancelled")
    })
    .await;
    let hanging = {
        let connection = connection.clone();
        tokio::spawn(async move { call(&connection, "hang").await })
    };
    eventually("the call hangs", || web.count("\"hang\"") == 2).await;
    web.stop().await;
    let failure = at_once(hanging).await.unwrap().unwrap_err();
    assert!(support::lost(&failure), "{failure:?}");
    eventually("the connection is closed", || connection.is_closed()).await;
}
