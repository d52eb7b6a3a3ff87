/** The group that compares channels: Blitz, Tokio, Kotlin coroutines, Jox and the JDK's queues. */
@NullMarked
package dev.blitz.benchmarks.channel;

import org.jspecify.annotations.NullMarked;
