/**
 * The benchmark groups and the program that runs them.
 *
 * <p>A group is one class with a static {@code group()} method, listed in {@link
 * dev.blitz.benchmarks.Groups}. How a group is measured is the business of {@link
 * dev.blitz.benchmarks.harness}.
 */
@NullMarked
package dev.blitz.benchmarks;

import org.jspecify.annotations.NullMarked;
