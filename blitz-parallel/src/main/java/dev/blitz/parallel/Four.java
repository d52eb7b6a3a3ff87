package dev.blitz.parallel;

/**
 * The results of four computations that were joined, in the order of the arguments.
 *
 * @param <C> the third result
 * @param <D> the fourth result
 * @param first that of the first computation
 * @param second that of the second
 * @param third that of the third
 * @param fourth that of the fourth
 */
public record Four<A, B, C, D>(A first, B second, C third, D fourth) {}
