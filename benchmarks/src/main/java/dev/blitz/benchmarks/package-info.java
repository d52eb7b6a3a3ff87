/**
 * The benchmark groups and the program that runs them.
 *
 * <p>To add a group:
 *
 * <ol>
 *   <li>Write {@code XxxGroup} with a static {@code group()} that returns {@code Group.of("xxx",
 *       "the question?", workloads...)}, and add it to {@code Groups.all()}.
 *   <li>A workload is {@code Workload.named("...").operations(n).blitz(() -> fixture)
 *       .peer(Contender.timed("peer", () -> fixture), target).build()}; the fixture's {@code run()}
 *       does {@code n} operations in a loop of its own and returns a checksum.
 *   <li>What is not a time per operation measures itself: {@code Contender.measured} and {@code
 *       unit("bytes/task")}. A program in another language is an {@code ExternalPeer}.
 *   <li>Data-parallel groups add {@code .cleanAndPolluted()}, those with large heaps {@code
 *       .jvm("-Xmx4g")}; a peer that suspends is written in {@code src/main/kotlin}.
 *   <li>{@code bench xxx --quick --no-docs} while working, {@code bench xxx} to write the document.
 * </ol>
 *
 * <p>How a group is measured is the business of {@link dev.blitz.benchmarks.harness}.
 */
@NullMarked
package dev.blitz.benchmarks;

import org.jspecify.annotations.NullMarked;
