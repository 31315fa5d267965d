//! Servers that are processes: how they end, what is said about it, and that nothing is left.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::time::{Duration, Instant};

use stakeout::mcp::{ConnectError, Connection, Host, Reach, StdioCommand};

use support::{Lab, at_once, call, connect, entry, eventually, is_alive};

async fn refusal(command: StdioCommand, time: Duration) -> ConnectError {
    let entry = entry(Reach::Stdio(command));
    match Connection::connect(&entry, time, &Host::default()).await {
        Ok(_) => panic!("there is a connection"),
        Err(error) => error,
    }
}

#[tokio::test]
async fn t4_a_server_that_dies_in_a_call_is_described() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    let failure = at_once(call(&connection, "dies")).await.unwrap_err();
    assert!(support::lost(&failure));
    assert!(failure.cause.contains("exited with code 3"), "{failure:?}");
    assert!(failure.cause.ends_with("out of cheese"), "{failure:?}");
    assert!(connection.is_closed());
    let later = at_once(call(&connection, "echo")).await.unwrap_err();
    assert!(
        support::lost(&later) && later.cause.contains("code 3"),
        "{later:?}"
    );
    lab.all_gone().await;
}

#[tokio::test]
async fn t4_a_server_that_is_killed_is_described() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    let failure = at_once(call(&connection, "killed")).await.unwrap_err();
    assert!(support::lost(&failure));
    assert!(failure.cause.contains("signal 9 (KILL)"), "{failure:?}");
}

#[tokio::test]
async fn a_server_that_closes_its_stdout_is_lost_at_once_and_ended() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    let failure = at_once(call(&connection, "closes-stdout"))
        .await
        .unwrap_err();
    assert!(support::lost(&failure));
    assert!(
        failure
            .cause
            .contains("closed its stdin or stdout while it went on running"),
        "{failure:?}"
    );
    lab.all_gone().await;
}

#[tokio::test]
async fn a_server_that_listens_no_more_is_lost_at_once_and_ended() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    assert_eq!(
        call(&connection, "closes-stdin").await.unwrap().text,
        "deaf"
    );
    let failure = at_once(call(&connection, "echo")).await.unwrap_err();
    assert!(support::lost(&failure), "{failure:?}");
    lab.all_gone().await;
}

#[tokio::test]
async fn a_grandchild_that_holds_stdout_does_not_hide_the_death_of_its_parent() {
    for mode in ["with-a-child", "with-a-child-apart"] {
        let lab = Lab::new();
        let connection = lab.connect(mode).await;
        lab.started(2).await;
        let failure = at_once(call(&connection, "dies")).await.unwrap_err();
        assert!(support::lost(&failure));
        assert!(failure.cause.contains("exited with code 3"), "{failure:?}");
        lab.all_gone().await;
    }
}

#[tokio::test]
async fn t6_closing_ends_all_that_was_started() {
    for mode in ["plain", "launcher", "with-a-child", "with-a-child-apart"] {
        let lab = Lab::new();
        let connection = lab.connect(mode).await;
        lab.started(if mode == "plain" { 1 } else { 2 }).await;
        connection.close().await;
        assert!(!lab.processes().into_iter().any(is_alive), "{mode}");
    }
}

#[tokio::test]
async fn a_call_in_flight_when_we_close_says_so() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    let hanging = {
        let connection = connection.clone();
        tokio::spawn(async move { call(&connection, "hang").await })
    };
    eventually("the call hangs", || lab.seen().contains("\"hang\"")).await;
    connection.close().await;
    let failure = at_once(hanging).await.unwrap().unwrap_err();
    assert!(support::lost(&failure));
    assert!(failure.cause.ends_with("stakeout closed it"), "{failure:?}");
}

#[tokio::test]
async fn t6_a_shell_that_waits_for_a_server_in_the_background_leaves_nothing() {
    let lab = Lab::new();
    let command = lab.through_shell("exec 3<&0; \"$0\" \"$@\" <&3 & wait", "with-a-child");
    let connection = connect(Reach::Stdio(command)).await;
    lab.started(2).await;
    connection.close().await;
    assert!(!lab.processes().into_iter().any(is_alive));
}

#[tokio::test]
async fn a_server_that_ignores_everything_is_killed_within_a_second_or_so() {
    let lab = Lab::new();
    let script = "trap '' TERM; exec \"$0\" \"$@\"";
    let connection = connect(Reach::Stdio(lab.through_shell(script, "stubborn"))).await;
    let start = Instant::now();
    connection.close().await;
    let took = start.elapsed();
    assert!(
        took >= Duration::from_millis(950),
        "{took:?}: it had no time to end"
    );
    assert!(took < Duration::from_secs(4), "{took:?}");
    assert!(!lab.processes().into_iter().any(is_alive));
}

#[tokio::test]
async fn dropping_the_last_clone_ends_the_server() {
    let lab = Lab::new();
    let connection = lab.connect("launcher").await;
    let clone = connection.clone();
    drop(connection);
    assert!(call(&clone, "echo").await.is_ok());
    drop(clone);
    lab.all_gone().await;
}

#[test]
fn a_runtime_that_goes_away_takes_the_server_and_its_children_with_it() {
    let lab = Lab::new();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let connection = runtime.block_on(async {
        let script = "trap '' TERM; exec \"$0\" \"$@\"";
        let connection = connect(Reach::Stdio(
            lab.through_shell(script, "with-a-child-apart"),
        ))
        .await;
        lab.started(2).await;
        connection
    });
    drop(runtime);
    drop(connection);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(lab.all_gone());
}

#[tokio::test]
async fn t4_a_server_that_exits_at_the_start_is_described() {
    let lab = Lab::new();
    let error = refusal(lab.command("exits-at-start"), support::PATIENCE).await;
    assert_eq!(error.step, "initialize");
    assert!(error.cause.contains("exited with code 7"), "{error}");
    assert!(error.cause.ends_with("fatal: no kubeconfig"), "{error}");
    assert!(!error.unauthorized);
    lab.all_gone().await;
}

#[tokio::test]
async fn t14_a_server_that_never_answers_costs_the_timeout_and_leaves_nothing() {
    let lab = Lab::new();
    let error = refusal(lab.command("silent-and-stubborn"), Duration::from_secs(2)).await;
    assert_eq!(error.step, "initialize");
    assert!(error.cause.starts_with("no answer within 2 s"), "{error}");
    assert!(error.cause.ends_with("warming up"), "{error}");
    lab.all_gone().await;
}

#[tokio::test]
async fn a_connect_that_is_stopped_leaves_nothing() {
    let lab = Lab::new();
    let entry = entry(Reach::Stdio(lab.command("silent")));
    let connecting = tokio::spawn(async move {
        Connection::connect(&entry, support::PATIENCE, &Host::default())
            .await
            .is_ok()
    });
    lab.started(1).await;
    connecting.abort();
    assert!(connecting.await.unwrap_err().is_cancelled());
    lab.all_gone().await;
}

#[tokio::test]
async fn a_server_that_refuses_says_why() {
    let lab = Lab::new();
    let error = refusal(lab.command("refuses"), support::PATIENCE).await;
    assert_eq!(error.step, "initialize");
    assert!(error.cause.contains("come back tomorrow"), "{error}");
    lab.all_gone().await;
}

#[tokio::test]
async fn a_stateless_server_is_spoken_to_in_its_own_way() {
    let lab = Lab::new();
    let connection = lab.connect("stateless").await;
    assert_eq!(connection.protocol_version(), "2026-07-28");
    assert!(call(&connection, "echo").await.is_ok());
    assert_eq!(lab.processes().len(), 2, "a second child was started");
    connection.close().await;
    lab.all_gone().await;
}

#[tokio::test]
async fn what_cant_be_started_is_said_in_a_sentence() {
    let program = |command: &str, cwd: Option<&str>| StdioCommand {
        command: command.to_owned(),
        cwd: cwd.map(str::to_owned),
        ..StdioCommand::default()
    };
    let missing = refusal(program("no-such-program-at-all", None), support::PATIENCE).await;
    assert_eq!(missing.step, "starting");
    assert!(missing.cause.contains("no such program"), "{missing}");
    let folder = refusal(program("sh", Some("/no/such/folder")), support::PATIENCE).await;
    assert!(folder.cause.contains("no such folder"), "{folder}");
    let plain = refusal(program("/etc/passwd", None), support::PATIENCE).await;
    assert!(plain.cause.contains("may not be executed"), "{plain}");
}

#[tokio::test]
async fn t15_a_child_has_a_session_of_its_own() {
    let lab = Lab::new();
    let connection = lab.connect("plain").await;
    let pid = rustix::process::Pid::from_raw(lab.processes()[0] as i32).unwrap();
    assert_eq!(rustix::process::getsid(Some(pid)).unwrap(), pid);
    connection.close().await;
}
