/**
 * Side-by-side comparison of a subject with its peers.
 *
 * <p>The method, which every class here serves:
 *
 * <ul>
 *   <li>A figure counts only as a ratio to a peer measured in the same round of the same run.
 *   <li>Each group runs in a JVM of its own. Every contender is warmed up; then come the rounds, in
 *       which each contender runs for one time slice, in an order that rotates.
 *   <li>Per slice: the time, the CPU time of the process and the bytes allocated by all threads,
 *       per operation. Reported are the median and the quartiles over the rounds.
 *   <li>Lower is better for every value, so a ratio is peer / subject and above 1 means that the
 *       subject is better.
 *   <li>A target holds when the median ratio reaches it and the lower quartile reaches 0.95 of it.
 *       A miss is printed as plainly as a hit.
 * </ul>
 *
 * <p>From definition to document: {@link dev.blitz.benchmarks.harness.Group} of {@link
 * dev.blitz.benchmarks.harness.Workload}s of {@link dev.blitz.benchmarks.harness.Contender}s, run
 * by {@link dev.blitz.benchmarks.harness.GroupRunner} into a {@link
 * dev.blitz.benchmarks.harness.GroupResult}, judged by {@link
 * dev.blitz.benchmarks.harness.ComparisonRow}, printed by the report classes.
 */
@NullMarked
package dev.blitz.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
