//! The one thread that starts processes.

use std::io;
use std::sync::mpsc;
use std::thread;

use tokio::process::Command;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Starts processes on a thread that lives as long as this value.
///
/// The kernel sends the parent-death signal when the *thread* that forked ends, and a thread of
/// tokio's blocking pool ends when it is idle.
#[derive(Debug)]
pub(crate) struct Spawner {
    orders: mpsc::Sender<Order>,
}

#[derive(Debug)]
struct Order {
    command: Command,
    runtime: Handle,
    answer: oneshot::Sender<io::Result<tokio::process::Child>>,
}

impl Spawner {
    /// Starts the thread.
    pub(crate) fn start() -> io::Result<Self> {
        let (orders, inbox) = mpsc::channel::<Order>();
        thread::Builder::new().name("media-spawner".into()).spawn(move || {
            for mut order in inbox {
                let _context = order.runtime.enter();
                let child = order.command.spawn();
                // Its copies of the descriptors must be gone before anybody waits for a pipe's
                // end.
                drop(order.command);
                // Nobody waits any more: dropping the child kills it.
                let _ = order.answer.send(child);
            }
        })?;
        Ok(Self { orders })
    }

    /// Starts `command` as a child of the current tokio runtime.
    pub(crate) async fn spawn(&self, command: Command) -> io::Result<tokio::process::Child> {
        let gone = || io::Error::other("the spawning thread is gone");
        let (answer, reply) = oneshot::channel();
        let order = Order { command, runtime: Handle::current(), answer };
        self.orders.send(order).map_err(|_| gone())?;
        reply.await.map_err(|_| gone())?
    }
}
