/**
 * What is learnt about the lambdas that pass through a loop, by their class: what an element costs,
 * and a copy of the loop that belongs to that class alone, so that it is compiled as if written by
 * hand.
 *
 * <p>How and why: {@code docs/design/parallel-plans.md}. Nothing here refers to a lambda, its class
 * or its loader: what is learnt hangs on the class, and goes with it.
 */
@NullMarked
package dev.blitz.parallel.internal.plan;

import org.jspecify.annotations.NullMarked;
