use super::*;

#[tokio::test]
async fn it_keeps_what_a_storage_promises() {
    crate::storage::contract::check(&MemoryStorage::default()).await.unwrap();
}
