//! The workloads of the `sync` group: without contention on the calling thread, with it on four workers.

use crate::workloads::{on, workload, Workload};
use std::hint::black_box;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Barrier, Mutex, Notify, OnceCell, RwLock, Semaphore};
use tokio::task::JoinHandle;

const WORKERS: usize = 4;
const PAIRS: u64 = 100_000;
const LOCKERS: u64 = 4;
const LOCKS: u64 = 2_500;
const READERS: u64 = 4;
const WRITERS: u64 = 2;
const ACCESSES: u64 = 1_666;
const ACQUIRERS: u64 = 8;
const ACQUIRES: u64 = 1_250;
const PERMITS: usize = 2;

pub fn runtime() -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .build()
        .expect("runtime")
}

pub fn by_key<'a>(key: &str, rt: &'a Runtime) -> Option<Workload<'a>> {
    match key {
        "mutex" => workload(PAIRS, mutex),
        "rwlock-read" => workload(PAIRS, rwlock_read),
        "rwlock-write" => workload(PAIRS, rwlock_write),
        "semaphore" => workload(PAIRS, semaphore),
        "once-get" => workload(PAIRS, once_get),
        "once-set" => workload(PAIRS, once_set),
        "notify" => workload(PAIRS, || rt.block_on(notify())),
        "barrier" => workload(PAIRS, || rt.block_on(barrier())),
        "mutex-contended" => workload(LOCKERS * LOCKS, || on(rt, mutex_contended())),
        "rwlock-contended" => workload((READERS + WRITERS) * ACCESSES, || {
            on(rt, rwlock_contended())
        }),
        "semaphore-contended" => workload(ACQUIRERS * ACQUIRES, || on(rt, semaphore_contended())),
        _ => None,
    }
}

fn mutex() {
    let mutex = Mutex::new(0u64);
    for _ in 0..PAIRS {
        *mutex.try_lock().expect("free") += 1;
    }
    black_box(mutex);
}

fn rwlock_read() {
    let lock = RwLock::new(1u64);
    let mut sum = 0;
    for _ in 0..PAIRS {
        sum += *lock.try_read().expect("free");
    }
    black_box(sum);
}

fn rwlock_write() {
    let lock = RwLock::new(0u64);
    for _ in 0..PAIRS {
        *lock.try_write().expect("free") += 1;
    }
    black_box(lock);
}

fn semaphore() {
    let semaphore = Semaphore::new(10);
    for _ in 0..PAIRS {
        black_box(semaphore.try_acquire().expect("permits"));
    }
}

fn once_get() {
    let cell = OnceCell::new_with(Some(1u64));
    let mut sum = 0;
    for _ in 0..PAIRS {
        sum += *black_box(&cell).get().expect("set");
    }
    black_box(sum);
}

fn once_set() {
    for i in 0..PAIRS {
        let cell = OnceCell::new();
        cell.set(i).expect("empty");
        black_box(cell.get());
    }
}

async fn notify() {
    for _ in 0..PAIRS {
        let notify = Notify::new();
        notify.notify_one();
        notify.notified().await;
    }
}

async fn barrier() {
    let barrier = Barrier::new(1);
    for _ in 0..PAIRS {
        black_box(barrier.wait().await.is_leader());
    }
}

async fn join(tasks: Vec<JoinHandle<()>>) {
    for task in tasks {
        task.await.expect("task");
    }
}

async fn mutex_contended() {
    let mutex = Arc::new(Mutex::new(0u64));
    let tasks = (0..LOCKERS)
        .map(|_| {
            let mutex = mutex.clone();
            tokio::spawn(async move {
                for _ in 0..LOCKS {
                    *mutex.lock().await += 1;
                }
            })
        })
        .collect();
    join(tasks).await;
    assert_eq!(*mutex.lock().await, LOCKERS * LOCKS);
}

async fn rwlock_contended() {
    let lock = Arc::new(RwLock::new(0u64));
    let mut tasks = Vec::new();
    for _ in 0..READERS {
        let lock = lock.clone();
        tasks.push(tokio::spawn(async move {
            for _ in 0..ACCESSES {
                black_box(*lock.read().await);
            }
        }));
    }
    for _ in 0..WRITERS {
        let lock = lock.clone();
        tasks.push(tokio::spawn(async move {
            for _ in 0..ACCESSES {
                *lock.write().await += 1;
            }
        }));
    }
    join(tasks).await;
    assert_eq!(*lock.read().await, WRITERS * ACCESSES);
}

async fn semaphore_contended() {
    let semaphore = Arc::new(Semaphore::new(PERMITS));
    let tasks = (0..ACQUIRERS)
        .map(|_| {
            let semaphore = semaphore.clone();
            tokio::spawn(async move {
                for _ in 0..ACQUIRES {
                    black_box(semaphore.acquire().await.expect("open"));
                }
            })
        })
        .collect();
    join(tasks).await;
}
