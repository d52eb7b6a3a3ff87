//! The same slice as the Java side: an eighth to settle, then whole runs until the time is up.

use std::time::{Duration, Instant};

pub struct PerOperation {
    pub nanos: f64,
    pub cpu_nanos: f64,
}

pub fn measure(millis: u64, operations: u64, run: &mut dyn FnMut()) -> PerOperation {
    let slice = Duration::from_millis(millis);
    repeat(slice / 8, run);
    let cpu = process_cpu_nanos();
    let start = Instant::now();
    let runs = repeat(slice, run);
    let elapsed = start.elapsed();
    let total = (runs * operations) as f64;
    PerOperation {
        nanos: elapsed.as_nanos() as f64 / total,
        cpu_nanos: (process_cpu_nanos() - cpu) as f64 / total,
    }
}

fn repeat(time: Duration, run: &mut dyn FnMut()) -> u64 {
    let start = Instant::now();
    let mut runs = 0;
    loop {
        run();
        runs += 1;
        if start.elapsed() >= time {
            return runs;
        }
    }
}

fn process_cpu_nanos() -> i64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a live timespec.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0, "clock_gettime");
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}
