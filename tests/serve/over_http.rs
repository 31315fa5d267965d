//! Sessions over HTTP: who may call, from where, with how much; and a calm end.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use stakeout::mcp::{Connection, Host, HttpAddress, Reach, ToolCall};
use stakeout::wait::{Note, Notes};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::caller::{Place, wait_on};
use crate::support::{PATIENCE, arguments, at_most, entry, eventually};
use crate::web::Web;

const EVERYTHING: &[&str] = &["--allow", "lab/*"];

async fn connect(web: &Web, headers: &[(&str, &str)]) -> Connection {
    let headers = headers
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    let reach = Reach::Http(HttpAddress {
        url: web.url(),
        headers: headers.collect(),
    });
    let connected = Connection::connect(&entry(reach), PATIENCE, &Host::default()).await;
    connected.unwrap_or_else(|error| panic!("no connection: {error}"))
}

/// What a call of a tool brought, as it was sent, and what was noted meanwhile.
async fn call(connection: &Connection, tool: &str, args: Value) -> (Value, Vec<Note>) {
    let args = arguments(args);
    let (notes, mut noted) = Notes::channel();
    let call = ToolCall {
        tool,
        args: &args,
        wait_id: "w",
        trace: None,
    };
    let observed = at_most(PATIENCE, connection.call(call, &notes))
        .await
        .unwrap();
    let mut all = Vec::new();
    while let Ok(note) = noted.try_recv() {
        all.push(note);
    }
    (observed.raw, all)
}

#[tokio::test]
async fn a_wait_of_the_stateless_revision_tells_each_sample() {
    let place = Place::with_lab("many-tools");
    let web = place.listen(EVERYTHING).await;
    let connection = connect(&web, &[]).await;
    assert_eq!(connection.protocol_version(), "2026-07-28");
    let wait = wait_on("count", json!({"matches": "call 2"}));
    let (result, noted) = call(&connection, "wait_for", wait).await;
    assert_eq!(result["structuredContent"]["reason"], "matched", "{result}");
    let told = noted.iter().filter_map(|note| match note {
        Note::Progress { message, .. } => message.clone(),
        _ => None,
    });
    let told: Vec<String> = told.collect();
    assert!(
        told.iter()
            .any(|words| words.ends_with("sample 1: call 1 of this process")),
        "{told:?}"
    );
    connection.close().await;
}

#[tokio::test]
async fn w10_a_stream_that_is_closed_stops_its_wait_and_the_probed_server_sees_it() {
    let place = Place::with_lab("many-tools");
    let web = place.listen(EVERYTHING).await;
    let connection = connect(&web, &[]).await;
    let calling = {
        let connection = connection.clone();
        tokio::spawn(async move {
            call(
                &connection,
                "wait_for",
                wait_on("hang", json!({"matches": "x"})),
            )
            .await
        })
    };
    eventually("the call arrives", || place.lab.seen().contains("\"hang\"")).await;
    calling.abort();
    eventually("the server sees the cancellation", || {
        place.lab.seen().contains("notifications/cancelled")
    })
    .await;
    connection.close().await;
}

#[tokio::test]
async fn copies_of_it_serve_one_caller_of_the_stateless_revision() {
    let (one, two) = (Place::with_lab("many-tools"), Place::with_lab("many-tools"));
    let (one, two) = (one.listen(&[]).await, two.listen(&[]).await);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "caller", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {}});
    for (web, method) in [
        (&one, "tools/list"),
        (&two, "tools/list"),
        (&one, "server/discover"),
    ] {
        let message =
            json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {"_meta": meta}});
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", method),
        ];
        let answer = web.post(&headers, &message.to_string()).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert!(
            !answer.head.to_lowercase().contains("mcp-session-id"),
            "{}",
            answer.head
        );
    }
}

#[tokio::test]
async fn an_older_client_has_a_session() {
    let place = Place::with_lab("many-tools");
    let web = place.listen(EVERYTHING).await;
    let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "caller", "version": "1"}}});
    let begun = web.post(&[], &begin.to_string()).await;
    let session = begun.header("mcp-session-id");
    let headers = [
        ("Mcp-Session-Id", session.as_str()),
        ("MCP-Protocol-Version", "2025-11-25"),
    ];
    let wait = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "wait_for", "arguments": wait_on("count", json!({"matches": "call 1"}))}});
    let answer = web.post(&headers, &wait.to_string()).await;
    assert!(
        answer.body.contains("\"reason\":\"matched\""),
        "{}",
        answer.body
    );
    let headers = [
        ("Mcp-Session-Id", "another"),
        ("MCP-Protocol-Version", "2025-11-25"),
    ];
    assert_eq!(web.post(&headers, &wait.to_string()).await.status, 404);
}

#[tokio::test]
async fn health_is_told_to_everybody_and_nothing_else_is_there() {
    let place = Place::with_lab("many-tools");
    let mut command = place.command(&["--http", "127.0.0.1:0"]);
    command.env("STAKEOUT_TOKEN", "s3cret");
    let web = Web::start(command).await;
    let health = web.get("/healthz").await;
    assert_eq!((health.status, health.body.as_str()), (200, "ok\n"));
    let nothing = web.get("/").await;
    assert_eq!(nothing.status, 404);
    assert!(nothing.body.contains("/mcp"));
}

#[tokio::test]
async fn a_foreign_page_and_a_foreign_name_are_refused() {
    let place = Place::with_lab("many-tools");
    let flags = [
        "--allow-origin",
        "https://ours.example",
        "--allow-host",
        "waits.example",
    ];
    let web = place.listen(&flags).await;
    let me = json!({"name": "caller", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": me});
    let begin = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    let begin = begin.to_string();
    let port = web.address.port().to_string();
    let local = format!("http://localhost:{port}");
    for (name, value, status) in [
        ("Origin", "https://evil.example", 403),
        ("Origin", "null", 403),
        ("Origin", "http://localhost.evil.example", 403),
        ("Origin", "http://127.0.0.1.evil.example:80", 403),
        ("Origin", local.as_str(), 200),
        ("Origin", "https://ours.example", 200),
        ("Host", "evil.example", 403),
        ("Host", "waits.example", 200),
    ] {
        let answer = web.post(&[(name, value)], &begin).await;
        assert_eq!(answer.status, status, "{name}: {value}: {}", answer.head);
    }
}

#[tokio::test]
async fn a_token_is_needed_off_loopback_and_asked_of_everybody() {
    let place = Place::with_lab("many-tools");
    let output = place
        .command(&["--http", "0.0.0.0:0"])
        .output()
        .await
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("so it needs a token"), "{said}");
    assert!(
        said.contains("STAKEOUT_TOKEN") && said.contains("--token-file"),
        "{said}"
    );

    let file = place.home().join("token");
    std::fs::write(&file, "t0ken-of-a-file\n").unwrap();
    let file = file.display().to_string();
    let mut by_variable = place.command(&["--http", "0.0.0.0:0"]);
    by_variable.env("STAKEOUT_TOKEN", "t0ken-of-a-variable");
    let mut by_file = place.command(&["--http", "0.0.0.0:0", "--token-file", &file]);
    by_file.env("STAKEOUT_TOKEN", "t0ken-of-a-variable");
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for (command, right, wrong) in [
        (by_variable, "t0ken-of-a-variable", "t0ken-of-a-file"),
        (by_file, "t0ken-of-a-file", "t0ken-of-a-variable"),
    ] {
        let web = Web::start(command).await;
        let denied = web.post(&[], ping).await;
        assert_eq!(denied.status, 401);
        assert!(
            denied.header("www-authenticate").starts_with("Bearer"),
            "{}",
            denied.head
        );
        let wrong = format!("Bearer {wrong}");
        assert_eq!(
            web.post(&[("Authorization", wrong.as_str())], ping)
                .await
                .status,
            401
        );
        let right = format!("Bearer {right}");
        let connection = connect(&web, &[("Authorization", right.as_str())]).await;
        let (listed, _) = call(&connection, "list_probes", json!({"server": "demo"})).await;
        assert_eq!(listed["isError"], false);
        connection.close().await;
    }
}

#[tokio::test]
async fn c11_no_token_is_logged() {
    let place = Place::with_lab("many-tools");
    let mut command = place.command(&["--http", "127.0.0.1:0"]);
    command
        .env("STAKEOUT_TOKEN", "s3cret-of-ours")
        .env("STAKEOUT_LOG", "trace");
    let mut web = Web::start(command).await;
    let token = ("Authorization", "Bearer s3cret-of-ours");
    let connection = connect(&web, &[token]).await;
    let (listed, _) = call(&connection, "list_probes", json!({"server": "demo"})).await;
    assert_eq!(listed["isError"], false);
    connection.close().await;
    web.signal(Signal::TERM);
    assert_eq!(web.exited().await, Some(0));
    let log = place.home().join(".local/state/stakeout/stakeout.log");
    let log = std::fs::read_to_string(log).unwrap();
    assert!(
        log.contains("tools/call") || log.contains("CallTool"),
        "nothing was logged"
    );
    assert!(!log.contains("s3cret-of-ours"));
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused() {
    let place = Place::with_lab("many-tools");
    let web = place.listen(&[]).await;
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "x".repeat(1024 * 1024)}});
    assert_eq!(web.post(&[], &body.to_string()).await.status, 413);
}

#[tokio::test]
async fn one_wait_too_many_is_refused_over_http_too() {
    let place = Place::with_lab("many-tools");
    let web = place
        .listen(&["--allow", "lab/*", "--max-waits", "1"])
        .await;
    let connection = connect(&web, &[]).await;
    let first = {
        let connection = connection.clone();
        tokio::spawn(async move {
            call(
                &connection,
                "wait_for",
                wait_on("hang", json!({"matches": "x"})),
            )
            .await
        })
    };
    eventually("the call arrives", || place.lab.seen().contains("\"hang\"")).await;
    let (refused, _) = call(
        &connection,
        "wait_for",
        wait_on("count", json!({"matches": "x"})),
    )
    .await;
    assert_eq!(
        refused["structuredContent"]["error"]["code"],
        "too_many_waits"
    );
    first.abort();
    connection.close().await;
}

#[tokio::test]
async fn a_signal_ends_waits_over_http_as_cancelled_and_then_the_servers() {
    let place = Place::with_lab("many-tools");
    let mut web = place.listen(EVERYTHING).await;
    let connection = connect(&web, &[]).await;
    let waiting = {
        let connection = connection.clone();
        tokio::spawn(async move {
            call(
                &connection,
                "wait_for",
                wait_on("hang", json!({"matches": "x"})),
            )
            .await
        })
    };
    eventually("the call arrives", || place.lab.seen().contains("\"hang\"")).await;
    web.signal(Signal::TERM);
    let (result, _) = waiting.await.unwrap();
    assert_eq!(
        result["structuredContent"]["error"]["code"], "cancelled",
        "{result}"
    );
    assert_eq!(at_most(Duration::from_secs(5), web.exited()).await, Some(0));
    assert!(place.lab.seen().contains("notifications/cancelled"));
    place.lab.all_gone().await;
}

#[tokio::test]
async fn an_address_that_can_not_be_used_says_how_to_write_it() {
    let place = Place::with_lab("many-tools");
    for name in ["https://app.example.com/path", "app.example.com", "null"] {
        let flags = ["--http", "127.0.0.1:0", "--allow-origin", name];
        let output = place.command(&flags).output().await.unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
    }
    for name in ["https://waits.example.com", "a b"] {
        let flags = ["--http", "127.0.0.1:0", "--allow-host", name];
        let output = place.command(&flags).output().await.unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
    }
    for address in ["8080", "nowhere.invalid:1", "127.0.0.1:99999"] {
        let output = place.command(&["--http", address]).output().await.unwrap();
        assert_eq!(output.status.code(), Some(2), "{address}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("HOST:PORT"), "{said}");
    }
    let web = place.listen(&[]).await;
    let taken = web.address.to_string();
    let output = place.command(&["--http", &taken]).output().await.unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("choose another port"), "{said}");
}

#[tokio::test]
async fn a_folder_that_can_not_hold_recordings_is_told_at_the_start() {
    let place = Place::with_lab("plain");
    std::fs::write(place.home().join("full"), "").unwrap();
    for (folder, why) in [
        ("full", "a part of its path is no folder; move it away"),
        (
            "full/below",
            "a part of its path is no folder; move it away",
        ),
    ] {
        let output = place.command(&["--record", folder]).output().await.unwrap();
        assert_eq!(output.status.code(), Some(2), "{folder}");
        let said = String::from_utf8(output.stderr).unwrap();
        let expected = format!("--record: nothing can be recorded in {folder}: {why}");
        assert!(said.contains(&expected), "{said}");
    }
}

#[tokio::test]
async fn a_caller_that_stays_in_the_middle_of_a_request_holds_up_no_end() {
    let place = Place::with_lab("plain");
    let mut web = place.listen(&[]).await;
    let mut stream = TcpStream::connect(web.address).await.unwrap();
    let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n";
    let whole = format!("{request}\r\n{request}");
    stream.write_all(whole.as_bytes()).await.unwrap();
    let mut answer = [0; 15];
    let read = at_most(PATIENCE, stream.read_exact(&mut answer)).await;
    assert_eq!(read.unwrap(), answer.len());
    assert_eq!(answer, *b"HTTP/1.1 200 OK");
    web.signal(Signal::TERM);
    assert_eq!(at_most(Duration::from_secs(5), web.exited()).await, Some(0));
}
