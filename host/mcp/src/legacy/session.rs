//! A client's session in memory: its record, its log, and who carries what.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::Value;
use tokio::{
    sync::{Mutex as AsyncMutex, oneshot, watch},
    task::AbortHandle,
    time::Instant,
};

use super::{
    call::Call,
    initialize, lock,
    log::{Log, Opening, Payload, STANDALONE},
    routing::{Effect, Event, Routing, Serves},
    tail::Tail,
};
use crate::{
    caller::{Caller, ClientFacts, Principal},
    clock::Timestamp,
    config::Config,
    error::RpcError,
    jsonrpc::{self, RequestId},
    server::Environment,
    storage::{
        EventRecord, PendingRecord, Place, SessionRecord, Storage, StorageError, StoredSession,
    },
};

/// A call that has not been answered.
pub(crate) struct Running {
    pub(crate) call: Arc<Call>,
    pub(crate) cancel: watch::Sender<bool>,
    pub(crate) work: Option<AbortHandle>,
    /// It does nothing but wait for a task.
    pub(crate) waits: bool,
}

pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) revision: String,
    pub(crate) config: Arc<Config>,
    pub(crate) environment: Environment,
    pub(crate) storage: Arc<dyn Storage>,
    /// The newest proof of who uses it; the key never changes.
    pub(crate) principal: Mutex<Principal>,
    pub(crate) record: Mutex<SessionRecord>,
    pub(crate) pending: Mutex<BTreeMap<u64, PendingRecord>>,
    pub(crate) log: Mutex<Log>,
    pub(crate) routing: Mutex<Routing>,
    /// Held while something is stored and then shown, so that both have one order.
    pub(crate) writing: AsyncMutex<()>,
    /// Questions of running calls, by request id.
    pub(crate) questions: Mutex<HashMap<String, oneshot::Sender<Result<Value, RpcError>>>>,
    pub(crate) running: Mutex<HashMap<RequestId, Running>>,
    pub(crate) followers: Mutex<HashMap<String, AbortHandle>>,
    /// Nothing is written any more: the session is over, or another process has it.
    stopped: AtomicBool,
}

impl Session {
    /// A session from what is stored of it, and the streams that nobody has finished.
    pub(crate) fn restore(
        stored: StoredSession,
        principal: Principal,
        config: Arc<Config>,
        environment: Environment,
        storage: Arc<dyn Storage>,
    ) -> (Self, Vec<(u64, Opening)>) {
        let mut log = Log::new(config.log_bytes, config.passing_events);
        let open = log.restore(&stored.events);
        let mut routing = Routing::default();
        for request in &stored.pending {
            routing.apply(Event::Restored {
                request: request.order,
                task: request.task.clone(),
                on: request.place.map(|place| place.stream),
                answered: request.answered,
            });
        }
        let session = Self {
            id: stored.record.id.clone(),
            revision: stored.record.revision.clone(),
            config,
            environment,
            storage,
            principal: Mutex::new(principal),
            record: Mutex::new(stored.record),
            pending: Mutex::new(stored.pending.into_iter().map(|p| (p.order, p)).collect()),
            log: Mutex::new(log),
            routing: Mutex::new(routing),
            writing: AsyncMutex::new(()),
            questions: Mutex::default(),
            running: Mutex::default(),
            followers: Mutex::default(),
            stopped: AtomicBool::new(false),
        };
        (session, open)
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.environment.clock.now()
    }

    pub(crate) fn has_tasks(&self) -> bool {
        initialize::has_tasks(&self.revision)
    }

    /// What the client can do, as far as it has shown.
    pub(crate) fn client(&self) -> ClientFacts {
        let record = lock(&self.record);
        let mut facts = ClientFacts::read(&self.revision, &record.client);
        facts.elicitation_form &= !record.cannot_elicit;
        facts.elicitation_url &= !record.cannot_elicit;
        facts
    }

    pub(crate) fn caller(&self, request: String) -> Caller {
        let principal = lock(&self.principal).clone();
        Caller { principal, client: self.client(), request_id: request }
    }

    /// Changes the record, once it is stored.
    pub(crate) async fn update(
        &self,
        change: impl FnOnce(&mut SessionRecord),
    ) -> Result<(), StorageError> {
        let _writing = self.writing.lock().await;
        if self.stopped() {
            return Err(StorageError);
        }
        let mut record = lock(&self.record).clone();
        change(&mut record);
        self.storage.save_session(&record).await?;
        *lock(&self.record) = record;
        Ok(())
    }

    /// The session was used. Stored once a minute.
    pub(crate) async fn touch(&self) {
        let now = self.now();
        let stale = lock(&self.record).touched.after(self.config.session_idle / 60) <= now;
        if stale && let Err(error) = self.update(|record| record.touched = now).await {
            tracing::warn!(%error, "the use of a session was not stored");
        }
    }

    /// Whether somebody reads or waits.
    pub(crate) fn in_use(&self) -> bool {
        !lock(&self.running).is_empty() || !lock(&self.log).all_attached().is_empty()
    }

    /// Appends a message to a stream.
    pub(crate) async fn say(
        &self,
        stream: u64,
        message: &Value,
        last: bool,
        passing: bool,
    ) -> Result<Place, StorageError> {
        let _writing = self.writing.lock().await;
        let payload = Payload::Message { text: message.to_string(), last };
        self.append(Some(stream), payload, passing).await
    }

    /// Appends an event while writing is held: first to the storage, then to what is read. Without
    /// a stream the event opens one.
    pub(crate) async fn append(
        &self,
        stream: Option<u64>,
        payload: Payload,
        passing: bool,
    ) -> Result<Place, StorageError> {
        if self.stopped() {
            return Err(StorageError);
        }
        let at = self.now();
        let seq = lock(&self.log).number(at);
        let place = Place { stream: stream.unwrap_or(seq), seq };
        if !passing {
            let payload = serde_json::to_string(&payload).map_err(|_| StorageError)?;
            self.storage.append_event(&self.id, &EventRecord { place, at, payload }).await?;
        }
        let dropped = lock(&self.log).append(place, at, payload, passing);
        if !dropped.is_empty() {
            self.storage.remove_events(&self.id, &dropped).await?;
        }
        Ok(place)
    }

    /// A connection reads a stream from a place on.
    pub(crate) async fn attach(self: &Arc<Self>, from: Place) -> Tail {
        let _writing = self.writing.lock().await;
        let (generation, news) = lock(&self.log).attach(from, Instant::now());
        let tail = Tail::new(Arc::clone(self), from, generation, news);
        self.carrier_opened(from.stream).await;
        tail
    }

    /// Tells the routing of a stream that is read, while writing is held.
    async fn carrier_opened(&self, stream: u64) {
        let serves = match lock(&self.log).serves(stream) {
            _ if stream == STANDALONE => Serves::Session,
            Some(task) => Serves::Task(task),
            None => return,
        };
        self.route(Event::Opened { stream, serves }).await;
    }

    /// A stream carries what a task asks from now on.
    pub(crate) async fn serve(&self, stream: u64, task: &str) {
        let _writing = self.writing.lock().await;
        let attached = {
            let mut log = lock(&self.log);
            log.serve(stream, task);
            log.attached(stream)
        };
        if attached {
            self.carrier_opened(stream).await;
        }
    }

    /// The stream was read to its end.
    pub(crate) async fn finished(&self, stream: u64) {
        let _writing = self.writing.lock().await;
        self.route(Event::Ended { stream }).await;
    }

    /// A connection is gone. If nobody comes back in time, what it carried goes elsewhere.
    pub(crate) fn left(self: &Arc<Self>, stream: u64, generation: Option<u64>) {
        if !lock(&self.log).detach(stream, generation) {
            return;
        }
        let session = Arc::clone(self);
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            session.unless_attached(stream, Event::Closed { stream }).await;
            tokio::time::sleep(session.config.carrier_grace).await;
            session.unless_attached(stream, Event::Lost { stream }).await;
        });
    }

    async fn unless_attached(&self, stream: u64, event: Event) {
        let _writing = self.writing.lock().await;
        if !lock(&self.log).attached(stream) {
            self.route(event).await;
        }
    }

    /// Does what the routing says about an event, while writing is held.
    pub(crate) async fn route(&self, event: Event) {
        let effects = lock(&self.routing).apply(event);
        for effect in effects {
            if let Err(error) = self.carry_out(effect).await {
                tracing::error!(%error, session = self.id.get(..8), "a request was not sent");
                self.send_later(effect);
            }
        }
    }

    /// A request that could not be sent waits for the next stream that opens.
    fn send_later(&self, effect: Effect) {
        let (Effect::Send { request, .. } | Effect::Move { request, .. }) = effect else { return };
        let known = lock(&self.pending).get(&request).map(|record| record.task.clone());
        if let Some(task) = known {
            let waiting = Event::Restored { request, task, on: None, answered: false };
            lock(&self.routing).apply(waiting);
        }
    }

    async fn carry_out(&self, effect: Effect) -> Result<(), StorageError> {
        match effect {
            Effect::Send { request, to } | Effect::Move { request, to } => {
                let Some(mut record) = lock(&self.pending).get(&request).cloned() else {
                    return Ok(());
                };
                self.take_back(&record).await?;
                let text = record.message.to_string();
                // Who dies between these two sends it again, under the same id.
                let place =
                    self.append(Some(to), Payload::Message { text, last: false }, false).await?;
                record.place = Some(place);
                self.storage.save_pending(&self.id, &record).await?;
                lock(&self.pending).insert(request, record);
            }
            Effect::Recall { request, on } => {
                let Some(record) = lock(&self.pending).remove(&request) else { return Ok(()) };
                self.take_back(&record).await?;
                self.storage.remove_pending(&self.id, &record.id).await?;
                if let Some(stream) = on {
                    let params = serde_json::json!({
                        "requestId": record.id,
                        "reason": "an answer is not needed any more",
                    });
                    let message = jsonrpc::notification("notifications/cancelled", params);
                    let text = message.to_string();
                    self.append(Some(stream), Payload::Message { text, last: false }, false)
                        .await?;
                }
            }
        }
        Ok(())
    }

    /// Takes a request from the stream that carried it, so that nobody who resumes reads it.
    async fn take_back(&self, record: &PendingRecord) -> Result<(), StorageError> {
        if let Some(place) = record.place {
            lock(&self.log).take_back(place.seq);
            self.storage.remove_events(&self.id, &[place.seq]).await?;
        }
        Ok(())
    }

    pub(crate) fn stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// Ends everything that lives of it in this process. What is stored stays as it is.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        for (_, follower) in lock(&self.followers).drain() {
            follower.abort();
        }
        for (_, running) in lock(&self.running).drain() {
            if let Some(work) = running.work {
                work.abort();
            }
        }
        lock(&self.questions).clear();
        let mut log = lock(&self.log);
        for stream in log.all_attached() {
            log.detach(stream, None);
        }
    }
}
