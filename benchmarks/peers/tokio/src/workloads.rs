//! The workloads of the `scheduler` group.

use crate::slot::Slot;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Arc};
use tokio::runtime::{Handle, Runtime};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

const BATCHES: u64 = 1_000;
const BATCH: u64 = 1_000;
const SPAWNED: u64 = 10_000;
const YIELDERS: u64 = 1_000;
const YIELDS: u64 = 1_000;
const FEW_YIELDERS: u64 = 10;
const MANY_YIELDS: u64 = 100_000;
const ROUND_TRIPS: u64 = 100_000;
const CHAIN: u64 = 100_000;
const SLEEPERS: u64 = 1_000;
const FAN_OUTS: u64 = 100;
const SUBMITTED: u64 = 100_000;

pub struct Workload<'a> {
    pub operations: u64,
    pub run: Box<dyn FnMut() + 'a>,
}

pub fn workload<'a>(operations: u64, run: impl FnMut() + 'a) -> Option<Workload<'a>> {
    Some(Workload {
        operations,
        run: Box::new(run),
    })
}

pub fn by_key<'a>(key: &str, rt: &'a Runtime) -> Option<Workload<'a>> {
    match key {
        "spawn-join" => workload(BATCHES * BATCH, || on(rt, spawn_join())),
        "spawn-from-task" => workload(SPAWNED, || on(rt, spawn_from_task())),
        "yield" => workload(YIELDERS * YIELDS, || on(rt, yields(YIELDERS, YIELDS))),
        "yield-few" => workload(FEW_YIELDERS * MANY_YIELDS, || {
            on(rt, yields(FEW_YIELDERS, MANY_YIELDS))
        }),
        "ping-pong" => workload(ROUND_TRIPS, || on(rt, ping_pong())),
        "ping-pong-notify" => workload(ROUND_TRIPS, || on(rt, ping_pong_notify())),
        "chained-spawn" => workload(CHAIN, || on(rt, chained_spawn())),
        "fan-out" => fan_out(rt),
        "external-1" => workload(SUBMITTED, || external(rt, 1)),
        "external-2" => workload(SUBMITTED, || external(rt, 2)),
        _ => None,
    }
}

/// Runs a task on a worker and waits for it: `block_on` alone would poll it on the calling thread.
pub fn on(rt: &Runtime, task: impl std::future::Future<Output = ()> + Send + 'static) {
    rt.block_on(rt.spawn(task)).expect("task");
}

async fn spawn_join() {
    let mut handles: Vec<JoinHandle<u64>> = Vec::with_capacity(BATCH as usize);
    let mut sum = 0;
    for _ in 0..BATCHES {
        for i in 0..BATCH {
            handles.push(tokio::spawn(async move { i & 127 }));
        }
        for handle in handles.drain(..) {
            sum += handle.await.expect("task");
        }
    }
    std::hint::black_box(sum);
}

/// Counts down; the last one puts into the slot.
struct Countdown {
    left: AtomicUsize,
    done: Slot,
}

impl Countdown {
    fn new(count: u64) -> Self {
        Countdown {
            left: AtomicUsize::new(count as usize),
            done: Slot::default(),
        }
    }

    fn arrive(&self) {
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.done.put();
        }
    }
}

async fn spawn_from_task() {
    let countdown = Arc::new(Countdown::new(SPAWNED));
    for _ in 0..SPAWNED {
        let countdown = countdown.clone();
        tokio::spawn(async move { countdown.arrive() });
    }
    countdown.done.take().await;
}

async fn yields(tasks: u64, times: u64) {
    let handles: Vec<_> = (0..tasks)
        .map(|_| {
            tokio::spawn(async move {
                for _ in 0..times {
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for handle in handles {
        handle.await.expect("task");
    }
}

async fn ping_pong() {
    let ping = Arc::new(Slot::default());
    let pong = Arc::new(Slot::default());
    let (ping2, pong2) = (ping.clone(), pong.clone());
    tokio::spawn(async move {
        for _ in 0..ROUND_TRIPS {
            ping2.take().await;
            pong2.put();
        }
    });
    for _ in 0..ROUND_TRIPS {
        ping.put();
        pong.take().await;
    }
}

async fn ping_pong_notify() {
    let ping = Arc::new(Notify::new());
    let pong = Arc::new(Notify::new());
    let (ping2, pong2) = (ping.clone(), pong.clone());
    tokio::spawn(async move {
        for _ in 0..ROUND_TRIPS {
            ping2.notified().await;
            pong2.notify_one();
        }
    });
    for _ in 0..ROUND_TRIPS {
        ping.notify_one();
        pong.notified().await;
    }
}

fn link(left: u64, end: Arc<Slot>) {
    if left == 0 {
        end.put();
    } else {
        tokio::spawn(async move { link(left - 1, end) });
    }
}

async fn chained_spawn() {
    let end = Arc::new(Slot::default());
    link(CHAIN, end.clone());
    end.take().await;
}

struct FanOut {
    slots: Vec<Slot>,
    countdown: Countdown,
}

fn fan_out(rt: &Runtime) -> Option<Workload<'_>> {
    let shared = Arc::new(FanOut {
        slots: (0..SLEEPERS).map(|_| Slot::default()).collect(),
        countdown: Countdown::new(0),
    });
    for i in 0..SLEEPERS as usize {
        let shared = shared.clone();
        rt.spawn(async move {
            loop {
                shared.slots[i].take().await;
                shared.countdown.arrive();
            }
        });
    }
    workload(SLEEPERS * FAN_OUTS, move || {
        let shared = shared.clone();
        on(rt, async move {
            for _ in 0..FAN_OUTS {
                let countdown = &shared.countdown;
                countdown.left.store(SLEEPERS as usize, Ordering::Release);
                shared.slots.iter().for_each(Slot::put);
                countdown.done.take().await;
            }
        })
    })
}

fn external(rt: &Runtime, threads: u64) {
    let (done, last) = mpsc::channel();
    let left = Arc::new(AtomicUsize::new(SUBMITTED as usize));
    let submit = |handle: Handle, left: Arc<AtomicUsize>, done: mpsc::Sender<()>| {
        for _ in 0..SUBMITTED / threads {
            let (left, done) = (left.clone(), done.clone());
            handle.spawn(async move {
                if left.fetch_sub(1, Ordering::AcqRel) == 1 {
                    done.send(()).expect("somebody waits");
                }
            });
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            let (handle, left, done) = (rt.handle().clone(), left.clone(), done.clone());
            scope.spawn(move || submit(handle, left, done));
        }
        submit(rt.handle().clone(), left.clone(), done.clone());
    });
    last.recv().expect("the last task");
}
