//! Landlock: which files the tool can open, and no network.

use std::os::fd::RawFd;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, AddRuleError, AddRulesError, CompatLevel, Compatible,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
    path_beneath_rules,
};
use nix::errno::Errno;
use serde::{Deserialize, Serialize};

use super::JailError;

/// The landlock version that the jail cannot do without: the first that refuses TCP (Linux 6.7).
const NEEDED: ABI = ABI::V4;
/// The version whose further rights are taken where the kernel has them: device ioctls, and no
/// signals or abstract sockets to the outside (Linux 6.12).
const WANTED: ABI = ABI::V6;

/// Where the dynamic loader and the libraries of the tool are. The loader is executed by the
/// kernel, so these need both rights.
const LIBRARIES: [&str; 7] =
    ["/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib"];
/// Other files the tool reads: the loader's cache of library places, and the seed of random
/// numbers.
const READ: [&str; 2] = ["/etc/ld.so.cache", "/dev/urandom"];

/// Whether a kernel without landlock will do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Landlock {
    /// Refuse to run a tool on a kernel that cannot keep it from files and TCP.
    #[default]
    Required,
    /// Take what the kernel has; on an old one a tool is held by its limits only.
    IfAvailable,
}

/// Confines this thread, and with it what it becomes, to reading the tool, its libraries and
/// the files behind the descriptors `readable`.
pub(super) fn confine(
    tool: &Path,
    readable: &[RawFd],
    landlock: Landlock,
) -> Result<(), JailError> {
    confine_by(tool, readable, landlock).map_err(|error| JailError::Confinement(explain(&error)))
}

fn confine_by(tool: &Path, readable: &[RawFd], landlock: Landlock) -> Result<(), RulesetError> {
    let run = AccessFs::ReadFile | AccessFs::Execute;
    let mut rules = ruleset(landlock)?
        .add_rules(path_beneath_rules([tool], run))?
        .add_rules(path_beneath_rules(LIBRARIES, run))?
        .add_rules(path_beneath_rules(READ, AccessFs::ReadFile))?;
    for fd in readable {
        rules = allow_reading(rules, *fd)?;
    }
    rules.restrict_self().map(drop)
}

fn ruleset(landlock: Landlock) -> Result<RulesetCreated, RulesetError> {
    let needed = match landlock {
        Landlock::Required => CompatLevel::HardRequirement,
        Landlock::IfAvailable => CompatLevel::BestEffort,
    };
    Ruleset::default()
        .set_compatibility(needed)
        .handle_access(AccessFs::from_all(NEEDED))?
        .handle_access(AccessNet::from_all(NEEDED))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(WANTED))?
        .scope(Scope::from_all(WANTED))?
        .create()
}

/// Allows to open the file behind `fd` again.
fn allow_reading(rules: RulesetCreated, fd: RawFd) -> Result<RulesetCreated, RulesetError> {
    // Adding a rule consumes the set, also when it fails.
    let without = rules.try_clone();
    let path = format!("/proc/self/fd/{fd}");
    match (rules.add_rules(path_beneath_rules([path], AccessFs::ReadFile)), without) {
        // An anonymous file (memfd) lies on no mounted file system: landlock takes no rule for
        // it, and needs none.
        (Err(error), Ok(without)) if is_not_on_a_mount(&error) => Ok(without),
        (result, _) => result,
    }
}

fn is_not_on_a_mount(error: &RulesetError) -> bool {
    matches!(
        error,
        RulesetError::AddRules(AddRulesError::Fs(AddRuleError::AddRuleCall { source, .. }))
            if source.raw_os_error() == Some(Errno::EBADFD as i32)
    )
}

fn explain(error: &RulesetError) -> String {
    format!(
        "landlock cannot confine ffmpeg as required, for which Linux 6.7 or later with landlock \
         enabled is needed ({error})"
    )
}
