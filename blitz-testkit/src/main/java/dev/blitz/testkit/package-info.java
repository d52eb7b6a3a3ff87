/**
 * What every test of the project leans on: nothing is left behind, a hang becomes a failure,
 * randomness can be replayed, and time-outs are scaled in one place.
 *
 * <p>{@link dev.blitz.testkit.Strict} switches all of it on for a class or a method. The checks
 * look at the whole JVM, so tests that use them must not run in parallel within one JVM.
 */
@NullMarked
package dev.blitz.testkit;

import org.jspecify.annotations.NullMarked;
