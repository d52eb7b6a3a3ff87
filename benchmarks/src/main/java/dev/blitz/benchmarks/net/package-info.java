/**
 * TCP echo servers side by side. Each server is a process of its own with one thread that does I/O;
 * the load comes from one thread of the harness; each has a processor of its own where {@code
 * taskset} is to be had.
 */
@NullMarked
package dev.blitz.benchmarks.net;

import org.jspecify.annotations.NullMarked;
