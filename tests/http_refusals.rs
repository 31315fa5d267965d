//! What is refused over HTTP, by servers and by us: tokens, redirects, headers, addresses.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use stakeout::mcp::{ConnectError, Connection, Host, Reach};

use support::web::{Script, Web};
use support::{address, at_once, call, connect, entry};

async fn http(url: &str) -> Connection {
    connect(Reach::Http(address(url))).await
}

async fn refusal(reach: Reach) -> ConnectError {
    match Connection::connect(&entry(reach), support::PATIENCE, &Host::default()).await {
        Ok(_) => panic!("there is a connection"),
        Err(error) => error,
    }
}

#[tokio::test]
async fn a_header_that_cant_be_sent_is_named_and_its_value_is_not() {
    let mut address = address("http://127.0.0.1:1/mcp");
    address
        .headers
        .insert("X-Token".to_owned(), "s3cret\nvalue".to_owned());
    let error = refusal(Reach::Http(address.clone())).await;
    assert!(
        error.cause.contains("X-Token") && !error.cause.contains("s3cret"),
        "{error}"
    );
    address.headers = [("bad name".to_owned(), "v".to_owned())].into();
    let error = refusal(Reach::Sse(address)).await;
    assert!(error.cause.contains("\"bad name\""), "{error}");
}

#[tokio::test]
async fn a6_a_refused_token_ends_it_with_the_way_out() {
    for status in [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN] {
        let web = Web::answering(move |_| (status, "who are you?").into_response()).await;
        let reaches = [
            Reach::Http(address(&web.url("/mcp"))),
            Reach::Sse(address(&web.url("/mcp"))),
        ];
        for reach in reaches {
            let before = web.requests().len();
            let error = at_once(refusal(reach)).await;
            assert!(error.unauthorized, "{error}");
            assert!(error.cause.contains(status.as_str()), "{error}");
            assert!(error.cause.contains("--header"), "{error}");
            assert_eq!(web.requests().len() - before, 1, "it was tried again");
        }
    }
}

#[tokio::test]
async fn a6_a_token_that_is_revoked_later_fails_the_call_with_the_way_out() {
    let web = Web::scripted(|script| match script.tool() {
        Some(_) => {
            let challenge = [(header::WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"")];
            (StatusCode::UNAUTHORIZED, challenge).into_response()
        }
        None => script.usual(),
    })
    .await;
    let connection = http(&web.url("/mcp")).await;
    let failure = at_once(call(&connection, "echo")).await.unwrap_err();
    assert!(failure.cause.contains("invalid_token"), "{failure:?}");
    assert!(failure.cause.contains("--header"), "{failure:?}");
    assert!(failure.unauthorized && !support::lost(&failure));
    assert_eq!(web.calls(), 1);
}

#[tokio::test]
async fn a_redirect_is_followed_at_home_and_never_to_another_origin() {
    let home = Web::answering_all(|request, script| match request.uri.path() {
        "/old" => (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, "/mcp")]).into_response(),
        "/moved" => (StatusCode::FOUND, [(header::LOCATION, "/mcp")]).into_response(),
        _ => script.usual(),
    })
    .await;
    let connection = http(&home.url("/old")).await;
    assert!(call(&connection, "echo").await.is_ok());
    connection.close().await;
    let moved = refusal(Reach::Http(address(&home.url("/moved")))).await;
    assert!(
        moved.cause.contains("302") && moved.cause.contains("/mcp"),
        "{moved}"
    );

    let target = home.url("/mcp?token=s3cret");
    let before = home.requests().len();
    let elsewhere = Web::answering(move |_| {
        (
            StatusCode::TEMPORARY_REDIRECT,
            [(header::LOCATION, target.clone())],
        )
            .into_response()
    })
    .await;
    for reach in [
        Reach::Http(address(&elsewhere.url("/mcp"))),
        Reach::Sse(address(&elsewhere.url("/mcp"))),
    ] {
        let error = refusal(reach).await;
        assert!(error.cause.contains("another origin"), "{error}");
        assert!(!error.cause.contains("s3cret"), "{error}");
    }
    assert_eq!(home.requests().len(), before, "something was sent there");
}

#[tokio::test]
async fn what_is_no_mcp_server_is_said() {
    let page = Web::answering(|_| {
        ([(header::CONTENT_TYPE, "text/html")], "<h1>Welcome</h1>").into_response()
    })
    .await;
    let error = refusal(Reach::Http(address(&page.url("/")))).await;
    assert!(error.cause.contains("text/html"), "{error}");
    let missing = Web::answering(|_| (StatusCode::NOT_FOUND, "no such page").into_response()).await;
    let error = refusal(Reach::Http(address(&missing.url("/")))).await;
    assert!(error.cause.contains("server/discover failed"), "{error}");
    assert!(
        error.cause.matches("404").count() == 2,
        "both causes are told: {error}"
    );
    let broken = Web::answering(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response()).await;
    let error = refusal(Reach::Http(address(&broken.url("/")))).await;
    assert!(error.cause.contains("500"), "{error}");
    for url in ["not a url", "ftp://host/mcp"] {
        let error = refusal(Reach::Http(address(url))).await;
        assert!(error.cause.contains("http"), "{error}");
    }
}

#[test]
fn a_host_without_certificates_speaks_plain_http_and_says_why_not_https() {
    // Where the certificates are is told by the environment, so the test runs in another process.
    let mut inner = std::process::Command::new(std::env::current_exe().unwrap());
    inner.args(["--exact", "--ignored", "on_a_host_without_certificates"]);
    inner.envs(["SSL_CERT_FILE", "SSL_CERT_DIR"].map(|name| (name, "/no/such/place")));
    let output = inner.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}

#[tokio::test]
#[ignore = "run by a_host_without_certificates_speaks_plain_http_and_says_why_not_https"]
async fn on_a_host_without_certificates() {
    let web = Web::scripted(Script::usual).await;
    assert!(call(&http(&web.url("/mcp")).await, "echo").await.is_ok());
    let url = web.url("/mcp").replace("http:", "https:");
    let error = refusal(Reach::Http(address(&url))).await;
    assert!(error.cause.contains("CA certificates"), "{error}");
}

#[tokio::test]
async fn an_endpoint_of_another_origin_is_refused() {
    let web = Web::legacy("http://127.0.0.2:9/messages").await;
    let error = refusal(Reach::Sse(address(&web.url("/sse")))).await;
    assert_eq!(error.step, "connecting");
    assert!(
        error.cause.contains("another origin, http://127.0.0.2:9"),
        "{error}"
    );
}

#[tokio::test]
async fn what_cant_be_reached_is_said() {
    for reach in [Reach::Http, Reach::Sse] {
        let error = at_once(refusal(reach(address("http://127.0.0.1:1/mcp?key=s3cret")))).await;
        assert_eq!(error.step, "connecting");
        assert!(
            error.cause.contains("http://127.0.0.1:1 can't be reached"),
            "{error}"
        );
        assert!(
            error.cause.contains("refused") && !error.cause.contains("s3cret"),
            "{error}"
        );
        assert!(!error.unauthorized);
    }
}
