//! No descriptor reaches the tool by accident.

use std::os::fd::RawFd;

use nix::errno::Errno;
use nix::unistd::close;

use super::{FIRST_DESCRIPTOR, JailError};

/// Closes every descriptor that is neither a standard one nor in `keep`.
///
/// The host opens its own with close-on-exec, but what it inherited itself may lack that.
pub(super) fn close_all_but(keep: &[RawFd]) -> Result<(), JailError> {
    let failed = |error| JailError::Step { step: "list open descriptors", error };
    let mut open = Vec::new();
    for entry in std::fs::read_dir("/proc/self/fd").map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        open.extend(name.to_str().and_then(|number| number.parse::<RawFd>().ok()));
    }
    for fd in open.into_iter().filter(|fd| *fd >= FIRST_DESCRIPTOR && !keep.contains(fd)) {
        match close(fd) {
            // The listing's own descriptor is in the list and closed by now.
            Ok(()) | Err(Errno::EBADF) => {}
            Err(errno) => return Err(JailError::step("close a descriptor")(errno)),
        }
    }
    Ok(())
}
