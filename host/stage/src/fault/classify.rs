//! From wasmtime's errors to faults.

use wasmtime::component::ResourceTableError;
use wasmtime::{Trap, WasmBacktrace};
use wasmtime_wasi::I32Exit;

use super::{LimitKind, PluginFault, Stop};
use crate::Limits;
use crate::engine::STACK_BYTES;

/// As many frames as wasmtime collects.
const LONG_BACKTRACE: usize = 20;

/// What a fault is told beside the error itself.
pub(crate) struct Circumstances<'a> {
    /// The plugin's name.
    pub(crate) plugin: &'a str,
    /// The limits of the call.
    pub(crate) limits: &'a Limits,
    /// The last line of the plugin's standard error.
    pub(crate) last_words: Option<String>,
}

impl Circumstances<'_> {
    /// The fault that an error of a call stands for.
    pub(crate) fn classify(self, error: wasmtime::Error) -> PluginFault {
        let error = match error.downcast::<Stop>() {
            Ok(stop) => return self.stopped(stop),
            Err(error) => error,
        };
        if let Some(I32Exit(code)) = error.downcast_ref() {
            return PluginFault::Exit { plugin: self.plugin.to_owned(), code: *code };
        }
        if let Some(ResourceTableError::Full) = error.downcast_ref() {
            return self.too_many_handles();
        }
        if let Some(Trap::StackOverflow) = error.downcast_ref() {
            let stack = STACK_BYTES as u64;
            return self.limit(LimitKind::Stack, stack, stack);
        }
        let cause = error.root_cause().to_string();
        // wasmtime gives these no type; the texts are pinned by tests.
        if cause.contains("store handle limit exceeded") {
            return self.too_many_handles();
        }
        if cause.contains("fuel allocated for hostcalls has been exhausted") {
            let allowed = CALL_BYTES as u64;
            return self.limit(LimitKind::Call, allowed, allowed);
        }
        if let Some(rule) = misused_handle(&cause) {
            return self.broken(format!("{rule} ({cause})"));
        }
        self.crashed(&error, cause)
    }

    /// The fault of a call that took too long by the clock.
    pub(crate) fn late(&self, allowed_ms: u64) -> PluginFault {
        self.limit(LimitKind::WallTime, allowed_ms, allowed_ms)
    }

    /// The fault of a plugin that broke a rule which is checked after the call.
    pub(crate) fn broken(&self, message: String) -> PluginFault {
        PluginFault::Contract { plugin: self.plugin.to_owned(), message }
    }

    fn stopped(&self, stop: Stop) -> PluginFault {
        match stop {
            Stop::Limit { limit, allowed, used } => self.limit(limit, allowed, used),
            Stop::Contract(message) => self.broken(message),
            Stop::Storage(error) => PluginFault::Storage(error),
            Stop::Host(message) => PluginFault::Host { message },
        }
    }

    fn too_many_handles(&self) -> PluginFault {
        let allowed = u64::from(self.limits.handles);
        self.limit(LimitKind::Handles, allowed, allowed + 1)
    }

    fn limit(&self, limit: LimitKind, allowed: u64, used: u64) -> PluginFault {
        let unit = limit.unit();
        PluginFault::Limit { plugin: self.plugin.to_owned(), limit, allowed, used, unit }
    }

    fn crashed(self, error: &wasmtime::Error, cause: String) -> PluginFault {
        let backtrace = error.downcast_ref::<WasmBacktrace>();
        let mut message = cause;
        // A compiled language keeps a stack of its own in memory, below which there is nothing.
        if matches!(error.downcast_ref(), Some(Trap::MemoryOutOfBounds))
            && backtrace.is_some_and(is_recursion)
        {
            message += ", deep in a recursion: probably its own stack overflowed";
        }
        if let Some(words) = self.last_words {
            message = format!("{message}: {words}");
        }
        let backtrace = backtrace.map(frames).unwrap_or_default();
        PluginFault::Trap { plugin: self.plugin.to_owned(), message, backtrace }
    }
}

/// The rule of handles that a plugin broke, if wasmtime says that it did.
fn misused_handle(cause: &str) -> Option<&'static str> {
    let rules = [
        ("borrow handles still remain", "it kept a handle beyond the call that lent it"),
        ("unknown handle index", "it used a handle that it had dropped, given away or been lent"),
        ("used with the wrong type", "it used a handle as one of another kind"),
    ];
    rules.into_iter().find(|(text, _)| cause.contains(text)).map(|(_, rule)| rule)
}

/// Whether one function is in a third of the frames or more of a long backtrace.
fn is_recursion(backtrace: &WasmBacktrace) -> bool {
    let frames = backtrace.frames();
    let of_same = |index: u32| frames.iter().filter(|f| f.func_index() == index).count();
    frames.len() >= LONG_BACKTRACE
        && frames.iter().any(|frame| of_same(frame.func_index()) >= frames.len() / 3)
}

fn frames(backtrace: &WasmBacktrace) -> String {
    let name = |frame: &wasmtime::FrameInfo| match frame.func_name() {
        Some(name) => name.to_owned(),
        None => format!("function {}", frame.func_index()),
    };
    backtrace.frames().iter().map(name).collect::<Vec<_>>().join("\n")
}

/// How many bytes a plugin may pass in one call; the contract promises 1 MiB. The host holds as
/// much beside its own copy.
pub(crate) const CALL_BYTES: usize = 16 << 20;
