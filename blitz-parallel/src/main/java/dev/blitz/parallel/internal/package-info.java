/**
 * Deques, latches, sleeping workers: the machinery behind {@link dev.blitz.parallel.Parallel}.
 *
 * <p>The protocol and its proof sketch are in {@code docs/design/parallel-sleep.md}. Memory-order
 * contract in short: a job becomes visible by a release store that its claimer reads with acquire;
 * a result becomes visible by the latch that completes the job; the owner's private part of a
 * {@link dev.blitz.parallel.internal.ForkStack} is plain memory that no other thread acts upon.
 */
@NullMarked
package dev.blitz.parallel.internal;

import org.jspecify.annotations.NullMarked;
