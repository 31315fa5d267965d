//! What `config.toml` means without a screen.

use crate::place::Place;

fn with(settings: &str) -> Place {
    let place = Place::new();
    std::fs::write(place.config().join("config.toml"), settings).unwrap();
    place
}

#[test]
fn c10_the_configured_timeout_holds_where_nobody_says_more() {
    let place = with("[servers]\nconnect_timeout = \"1s\"\n");
    let stdio = place.stdio("silent");
    let ran = place.run(&["tools", "--stdio", &stdio]).exits(3);
    ran.says("within 1 s");
    let flags = ["tools", "--stdio", &stdio, "--connect-timeout", "2"];
    place.run(&flags).exits(3).says("within 2 s");
}

#[test]
fn c3_a_bad_configuration_is_told_with_its_line_and_stops_nothing() {
    let place = with("[servers]\nconnect_timeout = 30\n[mouse]\n");
    let ran = place.run(&["tools", "demo"]).exits(0);
    ran.says("config.toml:2: connect_timeout is a duration in quotes")
        .says("config.toml:3: there is no section \"mouse\"");
    let place = with("[servers\n");
    let ran = place.run(&["tools", "demo"]).exits(0);
    ran.says("config.toml:1: it is not TOML: ");
}

#[test]
fn keys_are_the_screens_alone() {
    let place = with("[keys]\nnonsense = 3\n");
    let ran = place.run(&["tools", "demo"]).exits(0);
    assert_eq!(ran.stderr, "");
}
