//! Tells clients of what changed, without waiting for any of them.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::Notify;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Notice {
    ResourceUpdated { uri: String, scope: String },
    ResourcesChanged { scope: String },
    ToolsChanged,
}

/// A handle for the product to say what changed. The same said twice before anybody heard it is
/// said once. Cheap to clone; made before the server, so that the product can hold it.
#[derive(Clone, Debug, Default)]
pub struct Notifier(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    waiting: Mutex<BTreeSet<Notice>>,
    news: Notify,
}

impl Notifier {
    /// A resource has changed. Told to its subscribers that may see the scope
    /// ([`Handler::sees`](crate::Handler::sees)).
    pub fn resource_updated(&self, uri: &str, scope: &str) {
        self.say(Notice::ResourceUpdated { uri: uri.to_owned(), scope: scope.to_owned() });
    }

    /// The list of resources has changed for everybody that may see the scope.
    pub fn resources_changed(&self, scope: &str) {
        self.say(Notice::ResourcesChanged { scope: scope.to_owned() });
    }

    /// The list of tools has changed, for everybody.
    pub fn tools_changed(&self) {
        self.say(Notice::ToolsChanged);
    }

    fn say(&self, notice: Notice) {
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner).insert(notice);
        self.0.news.notify_one();
    }

    /// Everything that was said since the last time; waits until there is something.
    pub(crate) async fn heard(&self) -> BTreeSet<Notice> {
        loop {
            let said =
                std::mem::take(&mut *self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner));
            if !said.is_empty() {
                return said;
            }
            self.0.news.notified().await;
        }
    }
}
