//! A server that is killed at any moment: the next one goes on, and so do its clients.
