//! `video-render-mcp`: renders videos through sandboxed stages.

mod agents;
mod blame;
mod cli;
mod commands;
mod config;
mod data;
mod exit;
mod logs;
mod serve;
mod setup;
mod stored;
mod terminal;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};

use crate::cli::{Cli, Command};
use crate::exit::Ending;
use render::catalogue::Code;
use render::failure::Failure;

/// How long what was given up may take to end.
const SHUTDOWN: Duration = Duration::from_secs(1);

/// How long killed processes are given to be reaped.
const REAPING: Duration = Duration::from_millis(300);

/// File size limit exceeded, signal(7); tokio has no name for it.
const SIGXFSZ: i32 = 25;

fn main() -> ExitCode {
    // The jail comes before everything else: the process must become ffmpeg
    // without having opened or started anything of its own.
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|first| first == setup::JAIL_COMMAND) {
        return enter_jail(args);
    }
    let cli = Cli::parse();
    let json = cli.command.wants_json();
    logs::start(&cli);
    let ending = match tokio::runtime::Runtime::new() {
        Ok(runtime) => {
            let ending = runtime.block_on(async {
                // The default for a file that grows too large is to die; with a handler the write
                // fails and the render ends with a code.
                let _file_too_large = signal(SignalKind::from_raw(SIGXFSZ));
                match cli.command {
                    // It hears signals itself, and ends well by them.
                    command @ Command::Serve(_) => {
                        let ending = run(command).await;
                        tokio::time::sleep(REAPING).await;
                        ending
                    }
                    command => until_interrupted(run(command)).await,
                }
            });
            // A question that nobody answers any more still reads the terminal.
            runtime.shutdown_timeout(SHUTDOWN);
            ending
        }
        Err(error) => {
            Err(Failure::new(Code::Internal, format!("The async runtime did not start: {error}.")))
        }
    };
    exit::report(ending, json)
}

fn enter_jail(args: impl Iterator<Item = std::ffi::OsString>) -> ExitCode {
    match media::jail::enter(args) {
        Ok(never) => match never {},
        Err(error) => error.report(),
    }
}

async fn run(command: Command) -> Result<Ending, Failure> {
    match command {
        Command::Render(args) => commands::render::run(args).await,
        Command::Resume(args) => commands::resume::run(args).await,
        Command::Probe(args) => commands::probe::run(args).await,
        Command::Plugin(args) => commands::plugin::run(args).await,
        Command::Config(args) => commands::config::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Serve(args) => commands::serve::run(args).await,
        Command::Asset(args) => commands::asset::run(args).await,
        Command::Token(args) => commands::token::run(args).await,
        Command::Links(args) => commands::links::run(&args),
    }
}

/// Dropping the work ends it: processes are killed and partial files removed.
async fn until_interrupted(
    work: impl Future<Output = Result<Ending, Failure>>,
) -> Result<Ending, Failure> {
    tokio::select! {
        ending = work => return ending,
        () = interrupted() => {}
    }
    // The work is dropped; what it started is killed and must still be reaped.
    tokio::time::sleep(REAPING).await;
    Err(Failure::new(Code::Cancelled, "The work was cancelled."))
}

/// Waits for any of the signals by which a user or a system ends a program.
async fn interrupted() {
    let signals = [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
        SignalKind::quit(),
    ];
    let [interrupt, terminate, hangup, quit] = signals.map(received);
    tokio::select! { () = interrupt => {}, () = terminate => {}, () = hangup => {}, () = quit => {} }
}

async fn received(kind: SignalKind) {
    match signal(kind) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}
