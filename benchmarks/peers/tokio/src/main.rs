//! Tokio as a peer of the `scheduler`, `memory`, `sync` and `channel` groups.
//!
//! `tokio-peer echo`, `udp-echo` and `unix-echo` are the echo servers of the `net` group.
//!
//! Otherwise called as `tokio-peer KEY SLICE_MILLIS`; prints `KEY VALUE` and `KEY.cpu VALUE`, per operation. Sizes are those
//! of `SchedulerSizes`, `SyncSizes` and `ChannelSizes` in Java: whoever changes one changes both.

mod channel;
mod echo;
mod memory;
mod slot;
mod sync;
mod timing;
mod workloads;

use tokio::runtime::{Builder, Runtime};

const WORKERS: usize = 2;

fn runtime() -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .build()
        .expect("runtime")
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.len() == 2 {
        match args[1].as_str() {
            "echo" => return echo::serve(),
            "udp-echo" => return echo::serve_udp(),
            "unix-echo" => return echo::serve_unix(),
            _ => {}
        }
    }
    if args.len() != 3 {
        eprintln!("usage: tokio-peer KEY SLICE_MILLIS");
        std::process::exit(2);
    }
    let millis: u64 = args[2].parse().expect("SLICE_MILLIS is a number");
    let key = args[1].as_str();
    if key == "memory" {
        println!("memory {}", memory::bytes_per_task());
        return;
    }
    let rt = runtime();
    let wide = sync::runtime();
    let found = workloads::by_key(key, &rt)
        .or_else(|| sync::by_key(key, &wide))
        .or_else(|| channel::by_key(key, &wide));
    let mut workload = found.unwrap_or_else(|| {
        eprintln!("tokio-peer: no workload {key}");
        std::process::exit(2);
    });
    let per_op = timing::measure(millis, workload.operations, &mut workload.run);
    println!("{key} {}", per_op.nanos);
    println!("{key}.cpu {}", per_op.cpu_nanos);
    // What still waits is dropped with the process.
    std::process::exit(0);
}
