//! A hand-off with one slot, made of a waker and an atomic: what the Java side builds too.

use std::cell::UnsafeCell;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::task::{Context, Poll, Waker};

const EMPTY: u8 = 0;
const WAITING: u8 = 1;
const FULL: u8 = 2;

/// One putter at a time and one taker; a put finds the slot empty or waited for.
#[derive(Default)]
pub struct Slot {
    state: AtomicU8,
    /// The taker's while the state is EMPTY; of whoever moved it away from WAITING otherwise.
    waker: UnsafeCell<Option<Waker>>,
}

// SAFETY: the state says who may touch the waker.
unsafe impl Sync for Slot {}
unsafe impl Send for Slot {}

impl Slot {
    pub fn put(&self) {
        if self.state.swap(FULL, Ordering::AcqRel) == WAITING {
            // SAFETY: we moved the state away from WAITING; the taker keeps off until it is woken or sees FULL,
            // and then only empties the state.
            let waker = unsafe { (*self.waker.get()).take() };
            waker.expect("a waker").wake();
        }
    }

    pub fn take(&self) -> Take<'_> {
        Take(self)
    }

    fn poll_take(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut now = self.state.load(Ordering::Acquire);
        if now == WAITING {
            // Polled without having been woken: take the waker back to replace it.
            now = match self
                .state
                .compare_exchange(WAITING, EMPTY, Ordering::AcqRel, Ordering::Acquire)
            {
                Ok(_) => EMPTY,
                Err(other) => other,
            };
        }
        if now == EMPTY {
            // SAFETY: EMPTY is the taker's.
            unsafe { *self.waker.get() = Some(cx.waker().clone()) };
            if self
                .state
                .compare_exchange(EMPTY, WAITING, Ordering::AcqRel, Ordering::Acquire)
                .is_ok()
            {
                return Poll::Pending;
            }
        }
        self.state.store(EMPTY, Ordering::Release);
        Poll::Ready(())
    }
}

pub struct Take<'a>(&'a Slot);

impl Future for Take<'_> {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.0.poll_take(cx)
    }
}
