use super::*;

#[test]
fn old_compilers_are_not_taken() {
    assert!(is_new_enough("rustc 1.96.0 (ac68faa20 2026-01-01) (built from a source tarball)"));
    assert!(is_new_enough("rustc 1.100.0"));
    assert!(!is_new_enough("rustc 1.63.0"));
    assert!(!is_new_enough("clang 1.99"));
}

#[test]
fn only_the_debian_way_changes_the_environment() {
    let plain = Toolchain::Installed.cargo_build();
    assert!(plain.get_envs().all(|(_, value)| value.is_none()));
    assert!(!plain.get_args().any(|argument| argument == "-Z"));

    let debian = Debian { component_ld: "/a/component-ld".into(), wasm_ld: "/b/wasm-ld".into() };
    let built = Toolchain::Debian(debian).cargo_build();
    assert!(built.get_args().any(|argument| argument == "build-std=std,panic_abort"));
    let linker = built.get_envs().find(|(name, _)| *name == "CARGO_TARGET_WASM32_WASIP2_LINKER");
    assert_eq!(linker.and_then(|(_, value)| value), Some("/a/component-ld".as_ref()));
}
