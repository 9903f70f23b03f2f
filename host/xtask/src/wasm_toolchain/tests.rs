use super::*;

#[test]
fn old_compilers_are_not_taken() {
    assert!(is_new_enough("rustc 1.96.0 (ac68faa20 2026-01-01) (built from a source tarball)"));
    assert!(is_new_enough("rustc 1.100.0"));
    assert!(!is_new_enough("rustc 1.63.0"));
    assert!(!is_new_enough("clang 1.99"));
}

/// What a build is given under a name; none if it is not.
fn given(build: &Command, name: &str) -> Option<String> {
    let (_, value) = build.get_envs().find(|(found, _)| *found == name)?;
    value.map(|value| value.to_string_lossy().into_owned())
}

#[test]
fn only_the_debian_way_names_tools() {
    let plain = Toolchain::Installed.cargo_build();
    let set: Vec<_> = plain.get_envs().filter(|(_, value)| value.is_some()).collect();
    assert_eq!(set.len(), 1, "nothing but the flags: {set:?}");
    assert_eq!(given(&plain, "CARGO_TARGET_WASM32_WASIP2_RUSTFLAGS").as_deref(), Some(FEATURES));
    assert!(!plain.get_args().any(|argument| argument == "-Z"));

    let debian = Debian { component_ld: "/a/component-ld".into(), wasm_ld: "/b/wasm-ld".into() };
    let built = Toolchain::Debian(debian).cargo_build();
    assert!(built.get_args().any(|argument| argument == "build-std=std,panic_abort"));
    let linker = given(&built, "CARGO_TARGET_WASM32_WASIP2_LINKER");
    assert_eq!(linker.as_deref(), Some("/a/component-ld"));
    let flags = given(&built, "CARGO_TARGET_WASM32_WASIP2_RUSTFLAGS").unwrap();
    assert!(flags.starts_with(FEATURES) && flags.contains("/b/wasm-ld"), "{flags}");
}
