//! Sessions in the form of a tool's arguments.

use serde_json::{Value, json};
use stakeout::app::Connected;
use stakeout::tui::bench::Focus;
use stakeout::tui::message::{Effect, Msg};

use crate::harness::{Session, picture, tool};

/// A tool with every kind of field.
pub fn hard() -> Value {
    json!({
        "type": "object",
        "required": ["namespace", "selector"],
        "properties": {
            "limit": { "type": "integer", "minimum": 1, "maximum": 500, "default": 50, "description": "How many at most" },
            "namespace": { "type": "string", "description": "Where to look; a namespace that doesn't exist is an error" },
            "since": { "anyOf": [{ "type": "string", "format": "date-time" }, { "type": "null" }], "default": null },
            "phase": { "enum": ["Pending", "Running", "Succeeded", "Failed", "Unknown"], "description": "Only those in this phase" },
            "wide": { "type": "boolean", "default": false },
            "selector": { "oneOf": [{ "$ref": "#/$defs/ByLabel" }, { "$ref": "#/$defs/ByName" }] },
            "page": { "$ref": "#/$defs/Page" },
            "fields": { "type": "array", "items": { "type": "string" }, "description": "Which columns" },
        },
        "$defs": {
            "ByLabel": { "type": "object", "required": ["labels"], "properties": { "labels": { "type": "object", "additionalProperties": { "type": "string" } } } },
            "ByName": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string", "minLength": 1 } } },
            "Page": { "type": "object", "required": ["number"], "properties": { "number": { "type": "integer" }, "next": { "$ref": "#/$defs/Page" } } },
        },
    })
}

/// The Bench with a tool of that schema on it.
fn of(schema: Value, (columns, rows): (u16, u16)) -> Session {
    let mut session = Session::at(columns, rows);
    let mut pods = tool("k8s/pods list", "Lists pods");
    pods.input_schema = schema;
    session.connects = Some(Ok(vec![pods]));
    session.resize(120, 36).keys("Shift-Tab R Tab Enter");
    session.resize(columns, rows);
    session
}

/// The arguments that a try would send.
fn sent(session: &mut Session) -> Value {
    session.keys("Ctrl-T");
    let Effect::Try { ref args, .. } = *session.last() else {
        panic!("nothing is tried:\n{}", session.screen())
    };
    let args = json!(args);
    session.keys("Ctrl-C");
    args
}

#[test]
fn pictures_of_the_form() {
    for (columns, rows) in [(60, 16), (80, 24), (120, 36), (200, 60)] {
        let mut session = of(hard(), (columns, rows));
        session.keys("to-form").types("prod");
        session.keys("Tab → Tab").types("web").keys("Tab Ctrl-U");
        session.types("1e").keys("Ctrl-T Tab Tab →");
        picture!(format!("form_{columns}x{rows}"), session);
    }
}

#[test]
fn a_form_is_filled_in_by_keys_alone() {
    let mut session = of(hard(), (80, 24));
    session.keys("to-form").types("prod");
    session
        .keys("Tab →")
        .shows("(•) ByName")
        .keys("Tab")
        .types("web-1");
    session
        .keys("Tab Ctrl-U")
        .types("7")
        .keys("↓")
        .types("2026-01-01T00:00:00Z");
    session.keys("↓ ← ← ↓ space ↓ Enter ↓").types("");
    session.keys("Ctrl-U").types("2").keys("↓ ↓");
    session.keys("Enter ← ").types("\"name\"").keys("Esc");
    assert_eq!(
        sent(&mut session),
        json!({
            "namespace": "prod", "selector": { "name": "web-1" }, "limit": 7,
            "since": "2026-01-01T00:00:00Z", "phase": "Failed", "wide": true,
            "page": { "number": 2 }, "fields": ["name"],
        })
    );
}

#[test]
fn the_json_always_says_what_the_form_says_and_is_taken_back() {
    let mut session = of(hard(), (80, 36));
    session.keys("to-form").types("prod").keys("F2");
    session
        .shows("JSON · F2 for form")
        .shows(r#""namespace": "prod""#)
        .shows(" typing ");
    session.keys("Esc").shows("JSON · f for form");
    session.keys("Enter ↓ Ctrl-E ← ←").types("-2");
    session
        .keys("F2")
        .shows("form · F2 for JSON")
        .shows("prod-2");
    session.keys("Esc f").shows("JSON · f for form").keys("f");
    assert_eq!(sent(&mut session)["namespace"], json!("prod-2"));
}

#[test]
fn json_that_is_no_object_stays_json_and_says_why() {
    let mut session = of(hard(), (80, 24));
    session.keys("to-json").types("[").keys("F2");
    session
        .shows("the form needs a JSON object: line 7")
        .shows("JSON · F2 for form");
    session.keys("Backspace F2").shows("form · F2 for JSON");
    let mut session = of(json!({ "type": "object" }), (80, 24));
    session.hides("for form").keys("f").shows("names no fields");
}

#[test]
fn members_that_the_schema_does_not_name_are_fields_of_json_and_are_sent() {
    let mut session = of(hard(), (80, 36));
    session
        .keys("to-json Ctrl-E")
        .types("\"namespace\": \"x\", \"extra\": {\"a\": 18446744073709551615},")
        .keys("Esc f")
        .shows("not in the schema");
    assert_eq!(sent(&mut session)["extra"], json!({ "a": u64::MAX }));
}

#[test]
fn f12_a_draft_that_cannot_be_used_is_told_beside_its_field_and_refused_by_its_name() {
    let mut session = of(
        json!({ "properties": { "n": { "type": "number", "default": 1 }, "b": { "type": "string" } } }),
        (80, 24),
    );
    session
        .keys("to-form")
        .types(".")
        .shows("\"1.\" is no number");
    session
        .keys("Ctrl-T")
        .shows("can't try: n: \"1.\" is no number")
        .keys("F2")
        .shows("\"n\": 1.")
        .shows("line 3, column 1");
    session.keys("F2").shows("\"1.\" is no number").keys("F2");
    session
        .keys("↓ Ctrl-E")
        .types("x")
        .keys("F2")
        .shows("the form needs a JSON object: line 2");
    session.keys("Backspace");
    session.types("5").keys("F2");
    assert_eq!(sent(&mut session), json!({ "n": 1.5 }));
    session
        .keys("Ctrl-U")
        .types("18446744073709551616")
        .shows("beyond 64 bits");
}

#[test]
fn f5_f6_f7_unset_null_and_an_empty_string_differ() {
    let schema = json!({ "properties": { "a": { "type": ["string", "null"], "default": "x" } } });
    let mut session = of(schema, (80, 24));
    session.keys("to-form Ctrl-U").shows("an empty string");
    assert_eq!(sent(&mut session), json!({ "a": "" }));
    session.keys("Ctrl-U").shows("unset, default \"x\"");
    assert_eq!(sent(&mut session), json!({}));
    session.keys("Esc n").shows("null, by choice");
    assert_eq!(sent(&mut session), json!({ "a": null }));
    session.keys("Enter").types("null").hides("by choice");
    assert_eq!(sent(&mut session), json!({ "a": "null" }));
    session.keys("Esc u").shows("unset, default");
    session.keys("Enter").types("v").keys("Esc Delete");
    assert_eq!(sent(&mut session), json!({}));
    let mut session = of(
        json!({ "properties": { "a": { "type": "string" } } }),
        (80, 24),
    );
    session.keys("to-form Esc n").shows("doesn't allow null");
    assert_eq!(sent(&mut session), json!({}));
}

#[test]
fn f10_variants_at_the_root_are_chosen() {
    let schema = json!({ "anyOf": [
        { "title": "by name", "properties": { "name": { "type": "string" } }, "required": ["name"] },
        { "title": "by number", "properties": { "number": { "type": "integer" } }, "required": ["number"] },
    ]});
    let mut session = of(schema, (80, 24));
    session
        .keys("to-form")
        .shows("(•) by name   ( ) by number")
        .shows("name*")
        .keys("→")
        .shows("number*")
        .keys("Tab Ctrl-U")
        .types("7");
    assert_eq!(sent(&mut session), json!({ "number": 7 }));
}

#[test]
fn f11_a_recursive_schema_unfolds_on_demand_and_folds_again() {
    let mut session = of(hard(), (80, 36));
    let rows = |session: &Session| session.model.bench.draft.arguments().rows().len();
    let folded = rows(&session);
    session.keys("to-form Esc");
    let page = |session: &Session| match session.model.bench.focus {
        Focus::Argument(row) => session.model.bench.argument(row).unwrap().path.clone(),
        _ => String::new(),
    };
    while page(&session) != "/page" {
        session.keys("Tab");
    }
    session.keys("space");
    assert_eq!(rows(&session), folded + 2);
    session.keys("Tab Tab Enter");
    assert_eq!(page(&session), "/page/next");
    assert_eq!(rows(&session), folded + 4);
    session.keys("u Shift-Tab Esc Shift-Tab Delete");
    assert_eq!(rows(&session), folded);
}

#[test]
fn f13_a_paste_keeps_its_lines_and_a_field_of_lines_is_edited_in_place() {
    let mut session = of(
        json!({ "properties": { "script": { "type": "string" } } }),
        (80, 24),
    );
    session
        .keys("to-form")
        .tell(Msg::Paste("set -e\nmake \"x\\n\"\r\n".to_owned()));
    session.keys("↑ ↑").types("#").keys("Enter");
    assert_eq!(
        sent(&mut session),
        json!({ "script": "#\nset -e\nmake \"x\\n\"\n" })
    );
    session.keys("Esc").shows("make \"x\\n\"");
}

#[test]
fn f18_what_is_written_in_a_form_is_kept_by_server_and_tool() {
    let mut session = Session::start();
    session.keys("to-form").types("-2").keys("Tab").types(".");
    session.shows("\"3.\" is no number").keys("Esc Esc");
    session
        .keys("/")
        .types("build")
        .keys("Enter")
        .hides("web-2");
    session.keys("/").types("rollout").keys("Enter");
    session.shows("web-2").shows("\"3.\" is no number");
    session.keys("Enter Shift-Tab R Esc").shows("web-2");
}

#[test]
fn f20_a_schema_cannot_draw_what_it_likes() {
    let schema = json!({ "required": ["a\u{1b}]0;x\u{7}\u{202e}b"], "properties": {
        "a\u{1b}]0;x\u{7}\u{202e}b": { "type": "string", "description": "状态\u{1b}[2J\r\nx", "default": "\u{9b}31m\u{200b}" },
        "": { "enum": ["\u{1b}[31m", "✅\u{301}\u{301}", "\t"] },
        "状态状态状态状态状态状态状态状态状态状态状态状态": { "oneOf": [{ "title": "\u{202e}evil", "type": "string" }, { "type": "null" }, { "title": "\r", "type": "integer" }] },
        "n": { "type": "integer\u{1b}[1m" },
    }});
    for size in [(60, 16), (80, 24), (120, 36)] {
        let mut session = of(schema.clone(), size);
        for _ in 0..6 {
            session.keys("Tab → ?");
            session.keys("Esc Ctrl-T");
            let buffer = session.buffer();
            for cell in buffer.content() {
                let symbol = cell.symbol();
                assert!(!symbol.chars().any(char::is_control), "{symbol:?}");
                assert!(!symbol.contains(['\u{202e}', '\u{200b}']), "{symbol:?}");
            }
            for row in session.screen().lines().filter(|row| row.starts_with('│')) {
                assert!(row.ends_with(['│', '┤']), "{row}");
            }
        }
    }
}

#[test]
fn f21_the_fields_stand_in_the_same_order_at_every_opening() {
    let order = || {
        let session = of(hard(), (120, 36));
        let rows = session.model.bench.draft.arguments().rows().iter();
        rows.map(|row| row.label.clone()).collect::<Vec<_>>()
    };
    let first = order();
    assert_eq!(first[..3], ["namespace", "selector", "labels"]);
    for _ in 0..3 {
        assert_eq!(order(), first);
    }
}

#[test]
fn what_the_schema_has_against_it_stands_beside_the_field() {
    let schema = json!({ "required": ["n", "s"], "additionalProperties": false, "properties": {
        "n": { "type": "integer", "maximum": 5 }, "s": { "type": "string" } } });
    let mut session = of(schema, (80, 24));
    session
        .keys("to-form Ctrl-U")
        .types("9")
        .shows("9 is greater than the maximum of 5")
        .keys("Esc u")
        .shows("required, and not set");
    session
        .keys("f Enter Ctrl-E ←")
        .types("\"z\": 1")
        .keys("F2 Esc");
    session
        .shows("z")
        .shows("Additional properties are not allowed");
}

#[test]
fn f5_a_required_field_starts_unset_and_a_call_without_it_leads_to_it() {
    let schema = json!({ "required": ["name"], "properties": {
        "verbose": { "type": "boolean" }, "name": { "type": "string" } } });
    let mut session = of(schema, (80, 24));
    session
        .keys("t")
        .shows("can't try: name is required; set it, or send the JSON of F2 as it is");
    session.types("web");
    assert_eq!(sent(&mut session), json!({ "name": "web" }));
    session.keys("Esc u f t");
    assert_eq!(
        sent(&mut session),
        json!({}),
        "the JSON view sends what it shows"
    );
}

/// The server says that its tools have changed: this one's arguments follow that schema now.
fn relist(session: &mut Session, schema: Value) {
    let Some(Effect::FollowTools { id, server, .. }) = session.followed.clone() else {
        panic!("nothing follows the tools")
    };
    let mut pods = tool("k8s/pods list", "Lists pods");
    pods.input_schema = schema;
    let connected = Connected {
        server,
        protocol: "2025-11-25".to_owned(),
        software: None,
        tools: vec![pods],
        warnings: Vec::new(),
        announced: 1,
    };
    let result = Ok(connected);
    session.tell(Msg::Connected { id, result });
}

#[test]
fn f18_a_schema_that_changes_while_one_types_moves_no_key() {
    let mut session = of(hard(), (80, 24));
    session.keys("to-form Tab Tab Tab Ctrl-U").types("-");
    let focus = session.model.bench.focus;
    let mut other = hard();
    other["required"] = json!(["limit"]);
    relist(&mut session, other);
    assert_eq!(session.model.bench.focus, focus);
    session.types("r").shows("\"-r\" is no number");
    let ran = |effect: &Effect| matches!(effect, Effect::StartWait { .. });
    assert!(!session.asked.iter().any(ran));
    session.keys("Backspace Backspace").types("7").keys("Esc");
    // At rest, the same field has the focus where it is now.
    session.shows("limit*");
    let focused = session.model.bench.focused_argument().unwrap();
    assert_eq!(focused.path, "/limit");
    assert!(!session.model.bench.typing);
    assert_eq!(sent(&mut session)["limit"], json!(7));
}

#[test]
fn a_schema_without_the_focused_field_leaves_the_focus_at_rest() {
    let mut session = of(hard(), (80, 24));
    session.keys("to-form").types("prod").keys("Esc");
    relist(
        &mut session,
        json!({ "properties": { "new": { "type": "string" } } }),
    );
    assert!(!session.model.bench.typing);
    session.shows("new").shows("not in the schema");
}

#[test]
fn u6_a_long_paste_that_the_schema_refuses_is_told_in_a_line() {
    let schema = json!({ "required": ["blob"], "properties": {
        "blob": { "type": "string", "maxLength": 100 } } });
    let mut session = of(schema, (80, 24));
    let began = std::time::Instant::now();
    session
        .keys("to-form")
        .tell(Msg::Paste("QUJD".repeat(50_000)));
    session.shows("what is written is longer than 100 characters");
    for _ in 0..5 {
        session.keys("←");
    }
    let took = began.elapsed();
    assert!(took < std::time::Duration::from_secs(20), "{took:?}");
}

#[test]
fn the_pane_scrolls_with_the_focus() {
    let properties: serde_json::Map<String, Value> = (0..40)
        .map(|number| (format!("field_{number:02}"), json!({ "type": "string" })))
        .collect();
    let mut session = of(json!({ "properties": properties }), (80, 24));
    session.keys("to-form").shows("field_00").hides("field_39");
    for _ in 0..39 {
        session.keys("↓");
    }
    session.shows("field_39").shows("of 40").hides("field_00");
    session.keys("Tab").shows("(•) matches");
    assert_eq!(session.model.bench.focus, Focus::Kind);
    session.keys("k");
    assert_eq!(session.model.bench.focus, Focus::Argument(39));
}

#[test]
fn the_help_tells_of_the_focused_argument() {
    let mut session = of(hard(), (80, 36));
    session.keys("to-form F1");
    session
        .shows("namespace: string, required")
        .shows("a namespace that doesn't exist is an error");
    session.keys("Esc Tab Tab Tab Tab Tab ?");
    session.shows("One of Pending, Running, Succeeded");
}

#[test]
fn a_schema_that_arrives_late_brings_the_form_unless_json_is_being_typed() {
    let mut session = Session::start();
    let answer = session.connects.take().unwrap();
    session.keys("Enter Shift-Tab R");
    session.model.bench.target.as_mut().unwrap().schema = None;
    session.model.bench.draft = stakeout::tui::draft::Draft::new(&serde_json::Map::new());
    let id = match session.model.bench.link {
        stakeout::tui::bench::Link::Connecting { id, .. } => id,
        ref link => panic!("{link:?}"),
    };
    session.keys("to-json").types(" ");
    let connected = stakeout::app::Connected {
        server: "demo".to_owned(),
        protocol: "2025-11-25".to_owned(),
        software: None,
        tools: answer.unwrap(),
        warnings: Vec::new(),
        announced: 0,
    };
    session.tell(Msg::Connected {
        id,
        result: Ok(connected),
    });
    session.shows("JSON · F2 for form").shows(" typing ");
    session
        .keys("F2")
        .shows("replicas")
        .shows("integer, 1 to 50");
}

#[test]
fn the_condition_is_one_key_away_however_many_fields_there_are() {
    let mut session = of(hard(), (80, 24));
    session.keys("to-form PgDn");
    assert_eq!(session.model.bench.focus, Focus::Kind);
    session.keys("PgDn");
    assert_eq!(session.model.bench.focus, Focus::Preview);
    // Where texts are scrolled by pages, the letter does it.
    session.keys("{ {");
    assert_eq!(session.model.bench.focus, Focus::Argument(0));
    session.keys("PgUp }");
    assert_eq!(session.model.bench.focus, Focus::Argument(0));
}
