//! `completions` and `man`: what packagers ship beside the binary.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use clap::{CommandFactory, ValueEnum};
use clap_complete::Generator;
use clap_complete::Shell;
use stakeout::cli::Arguments;

use crate::place::Place;

/// The commands that have a page of their own.
fn commands() -> Vec<String> {
    let definition = Arguments::command();
    let commands = definition
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    commands
        .map(|command| command.get_name().to_owned())
        .collect()
}

/// Whether `program` takes `text` on stdin; None where there is no such program.
fn takes(program: &str, args: &[&str], text: &str) -> Option<bool> {
    let child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn();
    let mut child = child.ok()?;
    child
        .stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    Some(child.wait().unwrap().success())
}

#[test]
fn every_shell_has_completions_that_name_every_command() {
    let place = Place::new();
    for shell in Shell::value_variants() {
        let ran = place.run(&["completions", &shell.to_string()]).exits(0);
        assert_eq!(ran.stderr, "");
        for command in commands() {
            assert!(ran.stdout.contains(&command), "{shell}: no {command}");
        }
        let syntax = match shell {
            Shell::Bash => takes("bash", &["-n"], &ran.stdout),
            Shell::Zsh => takes("zsh", &["-n"], &ran.stdout),
            Shell::Fish => takes("fish", &["--no-execute"], &ran.stdout),
            _ => None,
        };
        assert_ne!(syntax, Some(false), "{shell}");
    }
}

#[test]
fn bash_completes_commands_and_flags() {
    let place = Place::new();
    let script = place.run(&["completions", "bash"]).exits(0).stdout;
    let complete = |words: &str| {
        let ask = format!(
            "{script}\nCOMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             _stakeout stakeout \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"\n\
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let output = Command::new("bash").args(["-c", &ask]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(complete("stakeout demo-s"), "demo-server\n");
    assert_eq!(complete("stakeout run --fail-w"), "--fail-when\n");
    assert!(complete("stakeout run --output js").contains("jsonl\n"));
}

#[test]
fn every_command_has_a_manual_page_with_its_flags() {
    let place = Place::new();
    // Hyphens are escaped in running text, so that they stay what one types.
    let escaped = |text: &str| text.replace('-', "\\-");
    let whole = place.run(&["man"]).exits(0).stdout;
    assert!(whole.contains(".TH stakeout 1"), "{whole}");
    for command in commands() {
        let name = format!("stakeout-{command}");
        assert!(whole.contains(&escaped(&name)), "no {name} in {whole}");
        let page = place.run(&["man", &command]).exits(0).stdout;
        assert!(page.contains(&format!(".TH {name} 1")), "{page}");
        assert!(page.contains(&escaped(&name)), "{page}");
    }
    let page = place.run(&["man", "run"]).exits(0).stdout;
    for words in [
        "--fail-when",
        "--output",
        "--rounds 4",
        "124    the budget ended",
    ] {
        assert!(page.contains(&escaped(words)), "no {words} in {page}");
    }
    place
        .run(&["man", "rnu"])
        .exits(2)
        .says("rnu is no command of stakeout; stakeout --help lists them");
}

/// The files of a release, by their names.
fn files() -> BTreeMap<String, String> {
    let place = Place::new();
    let print = |args: &[&str]| place.run(args).exits(0).stdout;
    let completions = Shell::value_variants().iter().map(|shell| {
        let name = format!("completions/{}", shell.file_name("stakeout"));
        (name, print(&["completions", &shell.to_string()]))
    });
    let pages = commands().into_iter().map(|command| {
        let page = print(&["man", &command]);
        (format!("man/stakeout-{command}.1"), page)
    });
    let whole = ("man/stakeout.1".to_owned(), print(&["man"]));
    completions.chain(pages).chain([whole]).collect()
}

/// `UPDATE_ASSETS=1` writes what the binary prints.
#[test]
fn what_a_release_holds_is_what_the_binary_prints() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let expected = files();
    if std::env::var_os("UPDATE_ASSETS").is_some() {
        for folder in ["completions", "man"] {
            let _ = std::fs::remove_dir_all(assets.join(folder));
            std::fs::create_dir_all(assets.join(folder)).unwrap();
        }
        for (name, text) in &expected {
            std::fs::write(assets.join(name), text).unwrap();
        }
    }
    let mut found = BTreeMap::new();
    for folder in ["completions", "man"] {
        for entry in std::fs::read_dir(assets.join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let name = format!("{folder}/{name}");
            let text = std::fs::read_to_string(assets.join(&name)).unwrap();
            found.insert(name, text);
        }
    }
    let differing: Vec<&String> = expected
        .keys()
        .chain(found.keys())
        .filter(|name| expected.get(*name) != found.get(*name))
        .collect();
    assert!(
        differing.is_empty(),
        "run UPDATE_ASSETS=1 cargo test --test command_line packaging, for {differing:?}"
    );
}
