//! The `memory` group: what idle tasks take of the allocator, its own overhead included.

use crate::slot::Slot;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

const TASKS: usize = 1_000_000;

#[repr(C)]
#[derive(Default)]
struct Mallinfo2 {
    fields: [usize; 10],
}

extern "C" {
    fn mallinfo2() -> Mallinfo2;
}

/// Bytes in use: in arenas (`uordblks`, the eighth) and mapped (`hblkhd`, the fifth).
fn used() -> usize {
    // SAFETY: it takes nothing and returns a structure of ten size_t.
    let info = unsafe { mallinfo2() };
    info.fields[7] + info.fields[4]
}

pub fn bytes_per_task() -> f64 {
    let rt = crate::runtime();
    let before = used();
    let idle = Arc::new(AtomicUsize::new(0));
    // The slots are what would wake the tasks; each belongs to its task, as a leaf future does.
    for _ in 0..TASKS {
        let idle = idle.clone();
        rt.spawn(async move {
            let slot = Slot::default();
            idle.fetch_add(1, Ordering::AcqRel);
            slot.take().await;
        });
    }
    while idle.load(Ordering::Acquire) < TASKS {
        std::thread::yield_now();
    }
    let bytes = used() - before;
    std::mem::forget(rt);
    bytes as f64 / TASKS as f64
}
