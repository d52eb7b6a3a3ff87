//! The workloads of the `channel` group. Sizes are those of `ChannelSizes` in Java.

use crate::workloads::{on, workload, Workload};
use std::sync::Arc;
use tokio::runtime::Runtime;
use tokio::sync::{broadcast, mpsc, oneshot, watch, Mutex};

const COUNT: u64 = 100_000;
const ROUND_TRIPS: u64 = 50_000;
const PRODUCERS: u64 = 4;
const PER_PRODUCER: u64 = 2_500;
const CAPACITY: usize = 1_000;
const STAGES: u64 = 10;
const CHAINED: u64 = 10_000;
const RECEIVERS: usize = 4;
const BROADCAST_CAPACITY: u64 = 1_000;
const CHAIN_CAPACITY: usize = 16;

pub fn by_key<'a>(key: &str, rt: &'a Runtime) -> Option<Workload<'a>> {
    let sent = PRODUCERS * PER_PRODUCER;
    match key {
        "channel-send" => workload(COUNT, || {
            let (tx, _rx) = mpsc::channel(COUNT as usize);
            fill(&tx);
        }),
        "channel-send-receive" => workload(COUNT, || {
            let (tx, mut rx) = mpsc::channel(COUNT as usize);
            fill(&tx);
            while rx.try_recv().is_ok() {}
        }),
        "channel-unbounded" => workload(COUNT, || {
            let (tx, mut rx) = mpsc::unbounded_channel();
            for i in 0..COUNT {
                tx.send(i).expect("open");
            }
            while rx.try_recv().is_ok() {}
        }),
        "channel-round-trip" => round_trip(),
        "channel-oneshot" => workload(COUNT, || {
            for i in 0..COUNT {
                let (tx, mut rx) = oneshot::channel();
                tx.send(i).expect("open");
                std::hint::black_box(rx.try_recv().expect("sent"));
            }
        }),
        "channel-broadcast" => broadcast_to_four(),
        "channel-watch" => watch_value(),
        "channel-mpmc" => workload(sent, || on(rt, many_to_many())),
        "channel-mpsc" => workload(sent, || on(rt, many_to_one())),
        "channel-chain" => workload(STAGES * CHAINED, || on(rt, chain())),
        "channel-ping-pong" => workload(ROUND_TRIPS, || on(rt, ping_pong())),
        _ => None,
    }
}

fn fill(tx: &mpsc::Sender<u64>) {
    for i in 0..COUNT {
        tx.try_send(i).expect("room");
    }
}

fn round_trip<'a>() -> Option<Workload<'a>> {
    let (tx, mut rx) = mpsc::channel(1);
    workload(COUNT, move || {
        for i in 0..COUNT {
            tx.try_send(i).expect("room");
            std::hint::black_box(rx.try_recv().expect("sent"));
        }
    })
}

fn broadcast_to_four<'a>() -> Option<Workload<'a>> {
    let (tx, _) = broadcast::channel(BROADCAST_CAPACITY as usize);
    let mut receivers: Vec<_> = (0..RECEIVERS).map(|_| tx.subscribe()).collect();
    workload(COUNT, move || {
        for _ in 0..COUNT / BROADCAST_CAPACITY {
            for i in 0..BROADCAST_CAPACITY {
                tx.send(i).expect("receivers");
            }
            for rx in &mut receivers {
                while rx.try_recv().is_ok() {}
            }
        }
    })
}

fn watch_value<'a>() -> Option<Workload<'a>> {
    let (tx, mut rx) = watch::channel(0);
    workload(COUNT, move || {
        for i in 0..COUNT {
            tx.send(i).expect("receiver");
            std::hint::black_box(*rx.borrow_and_update());
        }
    })
}

fn produce(tx: mpsc::Sender<u64>) {
    tokio::spawn(async move {
        for i in 0..PER_PRODUCER {
            tx.send(i).await.expect("receiver");
        }
    });
}

/// Tokio has no such channel: its users put the receiver behind an async mutex.
async fn many_to_many() {
    let (tx, rx) = mpsc::channel(CAPACITY);
    let rx = Arc::new(Mutex::new(rx));
    let consumers: Vec<_> = (0..PRODUCERS)
        .map(|_| {
            let rx = rx.clone();
            tokio::spawn(async move {
                for _ in 0..PER_PRODUCER {
                    rx.lock().await.recv().await.expect("message");
                }
            })
        })
        .collect();
    for _ in 0..PRODUCERS {
        produce(tx.clone());
    }
    for consumer in consumers {
        consumer.await.expect("task");
    }
}

async fn many_to_one() {
    let (tx, mut rx) = mpsc::channel(CAPACITY);
    for _ in 0..PRODUCERS {
        produce(tx.clone());
    }
    for _ in 0..PRODUCERS * PER_PRODUCER {
        rx.recv().await.expect("message");
    }
}

async fn chain() {
    let (first, mut source) = mpsc::channel(CHAIN_CAPACITY);
    tokio::spawn(async move {
        for i in 0..CHAINED {
            first.send(i).await.expect("receiver");
        }
    });
    for _ in 1..STAGES {
        let (tx, rx) = mpsc::channel(CHAIN_CAPACITY);
        let mut from = std::mem::replace(&mut source, rx);
        tokio::spawn(async move {
            while let Some(message) = from.recv().await {
                tx.send(message).await.expect("receiver");
            }
        });
    }
    for _ in 0..CHAINED {
        source.recv().await.expect("message");
    }
}

async fn ping_pong() {
    let (ping, mut pinged) = mpsc::channel(1);
    let (pong, mut ponged) = mpsc::channel(1);
    tokio::spawn(async move {
        while let Some(message) = pinged.recv().await {
            pong.send(message).await.expect("receiver");
        }
    });
    for i in 0..ROUND_TRIPS {
        ping.send(i).await.expect("receiver");
        ponged.recv().await.expect("message");
    }
}
