//! The rows of `DataRow` and `SortGroup` in Java, over the same numbers: whoever changes one changes both.

use rayon::prelude::*;
use std::collections::HashMap;
use std::hint::black_box;

type Run = Box<dyn FnMut() + Send>;

/// What a key measures, per 1,000 elements; nothing for keys of other groups.
pub fn workload(kind: &str, size: usize) -> Option<Run> {
    if let Some(row) = kind.strip_prefix("data-") {
        return data(row, size);
    }
    let (element, pattern) = kind.strip_prefix("sort-")?.split_once('-')?;
    sort(element, numbers(pattern, size))
}

fn data(row: &str, size: usize) -> Option<Run> {
    let longs: Vec<i64> = (0..size as i64)
        .map(|i| (((i * 2654435761) as u64 >> 7) % 1_000_003) as i64)
        .collect();
    let doubles: Vec<f64> = longs.iter().map(|x| *x as f64 / 1_000.0).collect();
    Some(match row {
        "map-filter-sum" => Box::new(move || {
            let n = black_box(size as i32);
            black_box(
                (0..n)
                    .into_par_iter()
                    .map(|i| i.wrapping_mul(3))
                    .filter(|i| i & 1 == 0)
                    .map(i64::from)
                    .sum::<i64>(),
            );
        }),
        "sum" => Box::new(move || {
            black_box(black_box(&longs).par_iter().sum::<i64>());
        }),
        "max" => Box::new(move || {
            black_box(black_box(&longs).par_iter().max());
        }),
        "double-sum" => Box::new(move || {
            black_box(black_box(&doubles).par_iter().sum::<f64>());
        }),
        "dot" => Box::new(move || {
            let a = black_box(&doubles);
            black_box(a.par_iter().zip(a.par_iter()).map(|(x, y)| x * y).sum::<f64>());
        }),
        "min-by-key" => Box::new(move || {
            black_box(black_box(&longs).par_iter().min_by_key(|x| (**x * 7919) & 0xFFFFF));
        }),
        "all" => Box::new(move || {
            black_box(black_box(&longs).par_iter().all(|x| *x >= 0));
        }),
        "find-first" => Box::new(move || {
            let a = black_box(&longs);
            let far = (size / 3 * 2 + 1_000_003) as i64;
            black_box((0..size).into_par_iter().find_first(|i| a[*i] + *i as i64 > far));
        }),
        "chain" => {
            let (left, right) = (longs[..size / 2].to_vec(), longs[size / 2..].to_vec());
            Box::new(move || {
                black_box(black_box(&left).par_iter().chain(black_box(&right).par_iter()).sum::<i64>());
            })
        }
        "compute" => Box::new(move || {
            black_box(black_box(&longs).par_iter().map(|x| rounds(*x)).reduce(|| 0, i64::wrapping_add));
        }),
        "any" => Box::new(move || {
            black_box(black_box(&longs).par_iter().any(|x| *x < 0));
        }),
        "chunks" => Box::new(move || {
            black_box(black_box(&longs).par_chunks(1_000).map(|c| c.iter().sum::<i64>()).max());
        }),
        "flatten" => {
            let rows: Vec<Vec<i64>> = longs.chunks(size / 1_000).map(<[i64]>::to_vec).collect();
            Box::new(move || {
                black_box(black_box(&rows).par_iter().flatten().sum::<i64>());
            })
        }
        "filter-collect" => Box::new(move || {
            let kept: Vec<i64> = black_box(&longs).par_iter().copied().filter(|x| x & 1 == 0).collect();
            black_box(kept.len());
        }),
        "group-by" => Box::new(move || {
            let counts = black_box(&longs)
                .par_iter()
                .fold(HashMap::new, |mut map, x| {
                    *map.entry(x % 100).or_insert(0_i64) += 1;
                    map
                })
                .reduce(HashMap::new, |mut left, right| {
                    for (key, count) in right {
                        *left.entry(key).or_insert(0) += count;
                    }
                    left
                });
            black_box(counts.len());
        }),
        _ => return None,
    })
}

/// As `DataRow.rounds` in Java.
fn rounds(x: i64) -> i64 {
    let mut z = x as u64;
    for _ in 0..16 {
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    }
    z as i64
}

fn numbers(pattern: &str, size: usize) -> Vec<i64> {
    let n = size as i64;
    (0..n)
        .map(|i| {
            let golden = i.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64);
            let mut random = golden ^ ((golden as u64) >> 29) as i64;
            random = random.wrapping_mul(0xBF58_476D_1CE4_E5B9_u64 as i64);
            random ^= ((random as u64) >> 32) as i64;
            match pattern {
                "random" => random,
                "sorted" => i,
                "reverse" => n - i,
                "equal" => 42,
                "organ_pipe" => i.min(n - i),
                "few_distinct" => random & 7,
                _ => {
                    if i % 100 == 99 {
                        random.rem_euclid(n)
                    } else {
                        i
                    }
                }
            }
        })
        .collect()
}

fn sort(element: &str, input: Vec<i64>) -> Option<Run> {
    Some(match element {
        "long" => Box::new(move || {
            let mut a = black_box(&input).clone();
            a.par_sort_unstable();
            black_box(&a);
        }),
        "int" => {
            let ints: Vec<i32> = input.iter().map(|x| *x as i32).collect();
            Box::new(move || {
                let mut a = black_box(&ints).clone();
                a.par_sort_unstable();
                black_box(&a);
            })
        }
        "string" => {
            let strings: Vec<String> = input.iter().map(|x| format!("key-{x:016x}")).collect();
            Box::new(move || {
                // References, as an array of objects has them: copying the strings is not sorting.
                let mut a: Vec<&str> = black_box(&strings).iter().map(String::as_str).collect();
                a.par_sort();
                black_box(&a);
            })
        }
        "double" => {
            let doubles: Vec<f64> = input.iter().map(|x| *x as f64 / 3.0).collect();
            Box::new(move || {
                let mut a = black_box(&doubles).clone();
                a.par_sort_unstable_by(f64::total_cmp);
                black_box(&a);
            })
        }
        _ => return None,
    })
}
