//! The server of the demo: started for it, and gone with it.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::Outcome;

/// How long the server may take to be ready: it compiles the plugins the first time.
const START: Duration = Duration::from_secs(120);
/// How long it may take to end before it is killed.
const END: Duration = Duration::from_secs(15);
const PAUSE: Duration = Duration::from_millis(100);

/// A running server, which is stopped and reaped when this is dropped.
pub(crate) struct Server {
    child: Child,
    base: String,
}

impl Server {
    /// Starts the program on a free port of this machine and waits until it is ready.
    ///
    /// # Errors
    /// It ends or is not ready in time; the log says why.
    pub(crate) fn start(program: &Path, data: &Path, log: &Path) -> Outcome<Self> {
        let mut child = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(File::create(log)?)
            .spawn()?;
        let stdout = child.stdout.take();
        // From here on it is stopped whatever happens.
        let mut server = Self { child, base: String::new() };
        let (tell, told) = channel();
        let stdout = stdout.ok_or("the server has no output")?;
        // Ends with the server's output; what follows the address is read so that it can be said.
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if let Some(address) = line.strip_prefix("listening on:") {
                    let _ = tell.send(address.trim().to_owned());
                }
            }
        });
        let address = told
            .recv_timeout(START)
            .map_err(|_| format!("the server does not start; see {}", log.display()))?;
        server.base = format!("http://{address}");
        server.wait_until_ready(log)?;
        Ok(server)
    }

    /// Where the protocol is spoken.
    pub(crate) fn endpoint(&self) -> String {
        format!("{}/mcp", self.base)
    }

    fn wait_until_ready(&mut self, log: &Path) -> Outcome {
        let limit = Instant::now() + START;
        let client: ureq::Agent = ureq::Agent::config_builder()
            .timeout_global(Some(Duration::from_secs(5)))
            .build()
            .into();
        let ready = format!("{}/readyz", self.base);
        while client.get(&ready).call().is_err() {
            if let Some(status) = self.child.try_wait()? {
                return Err(format!("the server ended ({status}); see {}", log.display()).into());
            }
            if Instant::now() > limit {
                return Err(format!("the server is not ready; see {}", log.display()).into());
            }
            sleep(PAUSE);
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Ok(id) = i32::try_from(self.child.id()) {
            let _ = kill(Pid::from_raw(id), Signal::SIGTERM);
        }
        let limit = Instant::now() + END;
        while Instant::now() < limit {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            sleep(PAUSE);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
