/**
 * The groups {@code scheduler} and {@code memory}: tasks of the stackless runtime against virtual
 * threads, ForkJoinPool, Kotlin coroutines and Tokio, each with two workers.
 *
 * <p>A class per contender, a method per workload, the same names everywhere; {@code
 * SchedulerSizes} has the numbers. The Kotlin bodies are in {@code src/main/kotlin}, the Rust ones
 * in {@code peers/tokio}.
 */
@NullMarked
package dev.blitz.benchmarks.scheduler;

import org.jspecify.annotations.NullMarked;
