use std::cell::RefCell;
use std::future::ready;

use super::*;

/// Calls a store that fails so many times with this; gives what came of it, how often it was
/// called, and how long was waited between.
async fn failing(times: usize, error: store::Error) -> (Result<(), store::Error>, usize, Duration) {
    let (calls, waited) = (RefCell::new(0_usize), RefCell::new(Duration::ZERO));
    let call = || {
        *calls.borrow_mut() += 1;
        ready(if *calls.borrow() <= times { Err(error.clone()) } else { Ok(()) })
    };
    let sleep = |wait: Duration| {
        *waited.borrow_mut() += wait;
        ready(())
    };
    let came = retry(call, sleep).await;
    (came, calls.into_inner(), waited.into_inner())
}

#[tokio::test]
async fn a_store_that_is_well_again_is_used() {
    let (came, calls, waited) = failing(0, store::Error::Full).await;
    assert_eq!((came, calls, waited), (Ok(()), 1, Duration::ZERO));
    for error in
        [store::Error::Full, store::Error::Io("broken".into()), store::Error::Locked("held".into())]
    {
        let (came, calls, waited) = failing(4, error).await;
        assert_eq!((came, calls), (Ok(()), 5));
        assert_eq!(waited, Duration::from_millis(100 + 200 + 400 + 800));
    }
}

#[tokio::test]
async fn what_cannot_change_is_not_tried_again() {
    for error in [
        store::Error::LostRace,
        store::Error::Expired,
        store::Error::NotFound("render"),
        store::Error::Closed,
        store::Error::Corrupt("page 7".into()),
    ] {
        let (came, calls, waited) = failing(1, error.clone()).await;
        assert_eq!((came, calls, waited), (Err(error), 1, Duration::ZERO));
    }
}

#[tokio::test]
async fn a_store_that_stays_broken_is_given_up_after_an_hour() {
    let (came, calls, waited) = failing(usize::MAX, store::Error::Full).await;
    assert_eq!(came, Err(store::Error::Full));
    assert_eq!(calls, usize::try_from(TRIES).unwrap());
    assert!(waited > Duration::from_mins(55) && waited < Duration::from_mins(65), "{waited:?}");
}
