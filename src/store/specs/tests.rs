//! Saving, listing, renaming and deleting specs.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::store::RestoreError;
use serde_json::json;

struct Place {
    specs: Specs,
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let specs = Specs::new(folder.path().join("stakeout/library"));
        Self { specs, folder }
    }

    fn save(&self, name: &str) -> SpecFile {
        let path = self.specs.path_of(name);
        SpecFile::save(&named(name), &path, Over::Nothing).unwrap()
    }

    fn names(&self) -> Vec<String> {
        let specs = self.specs.list().unwrap();
        specs.into_iter().map(|spec| spec.name).collect()
    }
}

fn named(name: &str) -> Spec {
    let call = json!({ "probe": { "tool": "t", "args": {} }, "until": { "matches": "x" } });
    Spec {
        name: Some(name.to_owned()),
        description: Some(format!("what {name} is for")),
        ..Spec::new(call.as_object().unwrap().clone())
    }
}

#[test]
fn specs_are_listed_by_name_the_broken_ones_with_their_sentence() {
    let place = Place::new();
    assert!(place.names().is_empty());
    for name in ["web", "Build", "a/b"] {
        place.save(name);
    }
    let library = place.folder.path().join("stakeout/library");
    fs::write(library.join("broken.wait.json"), "{ \"wait\": }").unwrap();
    let call =
        json!({ "wait": { "probe": { "tool": "t", "args": {} }, "until": { "matches": "(" } } });
    fs::write(library.join("no regex.wait.json"), call.to_string()).unwrap();
    fs::write(library.join("notes.txt"), "x").unwrap();
    fs::create_dir(library.join("folder.wait.json")).unwrap();
    assert_eq!(place.names(), ["a/b", "broken", "Build", "no regex", "web"]);
    let specs = place.specs.list().unwrap();
    assert_eq!(specs[0].call.as_ref().unwrap().tool(), "t");
    assert_eq!(specs[0].description.as_deref(), Some("what a/b is for"));
    assert!(specs[0].modified.is_some());
    let sentence = specs[1].call.as_ref().unwrap_err();
    assert!(sentence.starts_with("line 1, column 11: "), "{sentence}");
    let sentence = specs[3].call.as_ref().unwrap_err();
    assert!(
        sentence.starts_with("wait.until.matches \"(\" is no valid regex"),
        "{sentence}"
    );
}

#[test]
fn nothing_is_written_over_what_is_there_unless_it_is_meant() {
    let place = Place::new();
    let file = place.save("web");
    let again = SpecFile::save(&named("web"), &file.path, Over::Nothing);
    assert_eq!(again, Err(SaveError::Exists(file.path.clone())));
    let mut changed = named("web");
    changed.rounds = 3;
    let file = SpecFile::save(&changed, &file.path, Over::Known(&file)).unwrap();
    fs::write(&file.path, "somebody else's").unwrap();
    let refused = SpecFile::save(&changed, &file.path, Over::Known(&file));
    assert_eq!(refused, Err(SaveError::Changed(file.path.clone())));
    assert_eq!(fs::read_to_string(&file.path).unwrap(), "somebody else's");
    SpecFile::save(&changed, &file.path, Over::Anything).unwrap();
    assert_eq!(SpecFile::open(&file.path).unwrap().0, changed);
    fs::remove_file(&file.path).unwrap();
    SpecFile::save(&changed, &file.path, Over::Known(&file)).unwrap();
    assert_eq!(SpecFile::open(&file.path).unwrap().0, changed);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    let target = place.folder.path().join("kept elsewhere.json");
    fs::write(&target, "x").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    let path = place.specs.path_of("web");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    symlink(&target, &path).unwrap();
    SpecFile::save(&named("web"), &path, Over::Anything).unwrap();
    assert!(fs::symlink_metadata(&path).unwrap().is_symlink());
    assert_eq!(SpecFile::open(&target).unwrap().0, named("web"));
    let mode = fs::metadata(&target).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn a_name_is_found_and_the_near_ones_are_told() {
    let place = Place::new();
    let error = place.specs.find("web").unwrap_err();
    assert!(error.contains("nothing is saved yet"), "{error}");
    let file = place.save("release build");
    assert_eq!(place.specs.find("release build").unwrap(), file.path);
    let error = place.specs.find("relaese build").unwrap_err();
    assert_eq!(
        error,
        "neither a file nor a saved wait is called \"relaese build\"; did you mean \"release build\"?"
    );
    let error = place.specs.find("x").unwrap_err();
    assert!(
        error.ends_with("`stakeout list` tells those that there are"),
        "{error}"
    );
    let copy = file.path.with_file_name("copy.wait.json");
    fs::copy(&file.path, &copy).unwrap();
    assert_eq!(place.specs.find("copy").unwrap(), copy);
    let error = place.specs.find("release build").unwrap_err();
    assert!(error.contains("several saved waits"), "{error}");
}

#[test]
fn what_is_given_is_a_path_or_a_name() {
    let place = Place::new();
    let file = place.save("release");
    let locate = |given: &str| place.specs.locate(Path::new(given));
    assert_eq!(locate("release").unwrap(), file.path);
    for path in [
        "./release",
        "release.json",
        "a/release",
        "release.wait.json",
    ] {
        assert_eq!(locate(path).unwrap(), Path::new(path));
    }
    place.save("ci/build");
    assert_eq!(locate("ci/build").unwrap(), place.specs.path_of("ci/build"));
    // A folder of that name is not meant, and a file in this folder goes before a name.
    let src = place.save("src");
    assert_eq!(locate("src").unwrap(), src.path);
    assert_eq!(locate("Cargo.toml").unwrap(), Path::new("Cargo.toml"));
}

#[test]
fn a_spec_is_renamed_inside_and_outside_but_over_no_other() {
    let place = Place::new();
    let (web, other) = (place.save("web"), place.save("other"));
    let error = place.specs.rename(&web.path, "other").unwrap_err();
    assert!(error.contains("choose another name"), "{error}");
    let path = place.specs.rename(&web.path, "web/2").unwrap();
    assert_eq!(place.names(), ["other", "web/2"]);
    assert_eq!(
        SpecFile::open(&path).unwrap().0.name.as_deref(),
        Some("web/2")
    );
    assert!(!web.path.exists() && other.path.exists());
    assert!(place.specs.rename(&path, " ").is_err());
    assert_eq!(place.specs.rename(&path, "web/2").unwrap(), path);
    assert_eq!(place.names(), ["other", "web/2"]);
}

#[test]
fn renaming_changes_nothing_but_the_name() {
    let place = Place::new();
    let file = place.save("web");
    let call = fs::read_to_string(&file.path).unwrap();
    let call = Spec::parse(&call, &file.path).unwrap().wait;
    let call = serde_json::Value::Object(call);
    let trace = json!({ "trace": [{ "arguments": call }] }).to_string();
    let named = json!({ "trace": { "name": "inside", "wait": call } }).to_string();
    let odd = format!("{{\"wait\" :{call},\"name\":\"old\"}}");
    for (text, new) in [
        (call.to_string(), call.to_string()),
        (trace.clone(), trace),
        (odd.clone(), odd.replace("old", "new")),
    ] {
        fs::write(&file.path, text).unwrap();
        let path = place.specs.rename(&file.path, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), new);
        fs::remove_file(path).unwrap();
    }
    fs::write(&file.path, named).unwrap();
    let error = place.specs.rename(&file.path, "new").unwrap_err();
    assert!(error.contains("inside a larger text"), "{error}");
}

#[test]
fn what_is_deleted_comes_back_but_over_no_other() {
    let place = Place::new();
    let file = place.save("web");
    let first = place.specs.delete(&file.path).unwrap();
    assert!(place.names().is_empty());
    place.save("web");
    let error = place.specs.restore(&first).unwrap_err();
    assert!(matches!(&error, RestoreError::Failed(why) if why.contains("rename that one first")));
    let second = place.specs.delete(&file.path).unwrap();
    place.specs.restore(&second).unwrap();
    assert_eq!(place.names(), ["web"]);
    assert!(
        place
            .specs
            .delete(Path::new("/nowhere/x.wait.json"))
            .is_err()
    );
    place.specs.delete(&file.path).unwrap();
    place.specs.restore(&first).unwrap();
    assert_eq!(SpecFile::open(&file.path).unwrap().0, named("web"));
    let error = place.specs.restore(&first).unwrap_err();
    let lost = RestoreError::GoneForGood("web.wait.json".to_owned());
    assert_eq!(error, lost);
}

#[test]
fn the_oldest_of_what_was_deleted_are_forgotten() {
    let place = Place::new();
    for number in 0..MOST_DELETED + 3 {
        let file = place.save(&number.to_string());
        place.specs.delete(&file.path).unwrap();
    }
    let kept = place.specs.trash().kept();
    assert_eq!((kept.len(), kept[0].0), (MOST_DELETED, 4));
}

#[cfg(unix)]
#[test]
fn a_spec_that_is_renamed_stays_a_link_and_as_private_as_it_was() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let private = place.save("private");
    fs::set_permissions(&private.path, fs::Permissions::from_mode(0o600)).unwrap();
    let renamed = place.specs.rename(&private.path, "ours").unwrap();
    assert_eq!(mode(&renamed), 0o600);
    assert!(!private.path.exists());

    let elsewhere = place.folder.path().join("elsewhere.json");
    let linked = place.save("linked").path;
    fs::rename(&linked, &elsewhere).unwrap();
    symlink(&elsewhere, &linked).unwrap();
    let renamed = place.specs.rename(&linked, "known").unwrap();
    assert!(renamed.is_symlink() && linked.symlink_metadata().is_err());
    let text = fs::read_to_string(&elsewhere).unwrap();
    assert!(text.contains("\"known\""), "{text}");
    assert_eq!(place.names(), ["known", "ours"]);
}
