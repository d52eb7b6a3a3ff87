/**
 * The group {@code sync}: the primitives of blitz-io against those of the JDK, of Kotlin coroutines
 * and of Tokio; without contention on one thread, with it on four workers.
 *
 * <p>A class per contender, a method per workload; {@code SyncSizes} has the numbers. The Kotlin
 * bodies are in {@code src/main/kotlin}, the Rust ones in {@code peers/tokio}.
 */
@NullMarked
package dev.blitz.benchmarks.sync;

import org.jspecify.annotations.NullMarked;
