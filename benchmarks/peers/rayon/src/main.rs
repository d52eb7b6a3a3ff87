//! Rayon as a peer of the `fork-join`, `data` and `sort` groups.
//!
//! Called as `rayon-peer KEY SLICE_MILLIS`, with KEY one of `fib-uncut-N-WORKERS`, `fib-cut-N-WORKERS`,
//! `tree-DEPTH-WORKERS`, `data-ROW-N-WORKERS` and `sort-TYPE-PATTERN-N-WORKERS` (see `data.rs`); prints `KEY VALUE` and `KEY.cpu VALUE`: per fork, for a cut fib per run. The cut is that of
//! `CutFib` in Java: whoever changes one changes both.

mod data;
mod timing;

use rayon::{join, ThreadPoolBuilder};
use std::hint::black_box;

const CUT: u32 = 20;

struct Tree {
    value: i64,
    children: Option<Box<(Tree, Tree)>>,
}

fn tree_of_depth(depth: u32) -> Tree {
    let children = (depth > 0).then(|| Box::new((tree_of_depth(depth - 1), tree_of_depth(depth - 1))));
    Tree { value: 1, children }
}

fn sum(tree: &Tree) -> i64 {
    match &tree.children {
        None => tree.value,
        Some(pair) => {
            let (left, right) = join(|| sum(&pair.0), || sum(&pair.1));
            tree.value + left + right
        }
    }
}

fn plain(n: u32) -> u64 {
    if n < 2 { n.into() } else { plain(n - 1) + plain(n - 2) }
}

fn uncut(n: u32) -> u64 {
    if n < 2 {
        return n.into();
    }
    let (left, right) = join(|| uncut(n - 1), || uncut(n - 2));
    left + right
}

/// With one of its two calls as a loop, as `CutFib.leaf` in Java: the compiler would make it one anyhow.
fn leaf(mut n: u32) -> u64 {
    let mut sum = 0;
    while n >= 2 {
        sum += leaf(n - 1);
        n -= 2;
    }
    sum + u64::from(n)
}

fn cut(n: u32) -> u64 {
    if n <= CUT {
        return leaf(n);
    }
    let (left, right) = join(|| cut(n - 1), || cut(n - 2));
    left + right
}

fn usage() -> ! {
    eprintln!("usage: rayon-peer KEY SLICE_MILLIS");
    std::process::exit(2);
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    if args.len() != 3 {
        usage();
    }
    let key = args[1].as_str();
    let millis: u64 = args[2].parse().expect("SLICE_MILLIS is a number");
    let (rest, workers) = key.rsplit_once('-').unwrap_or_else(|| usage());
    let (kind, size) = rest.rsplit_once('-').unwrap_or_else(|| usage());
    let size: u32 = size.parse().expect("a size");
    let workers: usize = workers.parse().expect("a number of workers");
    let pool = ThreadPoolBuilder::new().num_threads(workers).build().expect("pool");

    if let Some(mut run) = data::workload(kind, size as usize) {
        let operations = u64::from(size) / 1_000;
        let per_op = timing::measure(millis, operations, &mut || pool.install(&mut run));
        println!("{key} {}", per_op.nanos);
        println!("{key}.cpu {}", per_op.cpu_nanos);
        return;
    }

    let operations = match kind {
        "fib-uncut" => plain(size + 1) - 1,
        "fib-cut" => 1,
        "tree" => (1 << size) - 1,
        _ => usage(),
    };
    let tree = tree_of_depth(if kind == "tree" { size } else { 0 });
    let mut run = || {
        pool.install(|| match kind {
            "fib-uncut" => { black_box(uncut(black_box(size))); }
            "fib-cut" => { black_box(cut(black_box(size))); }
            _ => { black_box(sum(black_box(&tree))); }
        })
    };
    let per_op = timing::measure(millis, operations, &mut run);
    println!("{key} {}", per_op.nanos);
    println!("{key}.cpu {}", per_op.cpu_nanos);
}
