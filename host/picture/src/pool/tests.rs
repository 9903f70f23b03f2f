use super::Pool;
use crate::{Layout, Size};

const SIZE: Size = Size { width: 5, height: 3 };

fn pool(keep: usize) -> Pool {
    Pool::new(SIZE, Layout::Yuv420p8, keep)
}

#[test]
fn a_picture_has_the_bytes_of_its_planes() {
    // 5 x 3 and twice 3 x 2.
    assert_eq!(pool(1).take().bytes().len(), 15 + 6 + 6);
}

#[test]
fn a_dropped_buffer_is_used_again_and_no_more_are_kept_than_asked() {
    let pool = pool(1);
    let (mut first, mut second) = (pool.take(), pool.take());
    first.bytes_mut().fill(1);
    second.bytes_mut().fill(2);
    let place = first.bytes().as_ptr();
    drop(first);
    drop(second);
    let (again, fresh) = (pool.take(), pool.take());
    assert_eq!(again.bytes().as_ptr(), place);
    assert!(again.bytes().iter().all(|sample| *sample == 1));
    assert!(fresh.bytes().iter().all(|sample| *sample == 0));
}

#[test]
fn a_copy_is_equal_and_independent_and_of_the_same_pool() {
    let pool = pool(2);
    let mut first = pool.take();
    first.bytes_mut().fill(9);
    let mut copy = first.clone();
    assert_eq!(copy.bytes(), first.bytes());
    copy.bytes_mut().fill(7);
    assert!(first.bytes().iter().all(|sample| *sample == 9));
    let place = copy.bytes().as_ptr();
    drop(copy);
    assert_eq!(pool.take().bytes().as_ptr(), place);
}

#[test]
fn a_picture_may_outlive_its_pool() {
    let pool = pool(2);
    let picture = pool.take();
    drop(pool);
    assert_eq!(picture.size(), SIZE);
}
