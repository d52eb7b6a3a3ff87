/** What a fork costs: the fork-join group and its workloads. */
@NullMarked
package dev.blitz.benchmarks.forkjoin;

import org.jspecify.annotations.NullMarked;
