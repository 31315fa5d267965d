//! How a release is linked where its C library can be asked.
//!
//! A program that may be loaded anywhere holds a list of its own addresses. Packed it takes a
//! hundredth of the room, which is a megabyte, but glibc before 2.36 refuses to start it. So it is
//! packed where the machine that builds would start it, and left as it is elsewhere.
#![allow(clippy::print_stdout)]

use std::process::Command;

/// The first glibc that reads packed addresses.
const READS_PACKED: (u32, u32) = (2, 36);

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| std::env::var(name).is_ok_and(|found| found == value);
    let for_itself = std::env::var("HOST").ok() == std::env::var("TARGET").ok();
    let glibc = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    if is("PROFILE", "release") && for_itself && glibc && glibc_version() >= Some(READS_PACKED) {
        println!("cargo:rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// The version of this machine's glibc, if it tells.
fn glibc_version() -> Option<(u32, u32)> {
    let told = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let told = String::from_utf8(told.ok()?.stdout).ok()?;
    let (major, minor) = told.trim().strip_prefix("glibc ")?.split_once('.')?;
    let minor = minor.split('.').next()?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
