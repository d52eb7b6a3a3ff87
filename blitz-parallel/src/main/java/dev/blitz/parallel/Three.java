package dev.blitz.parallel;

/**
 * The results of three computations that were joined, in the order of the arguments.
 *
 * @param <C> the third result
 * @param first that of the first computation
 * @param second that of the second
 * @param third that of the third
 */
public record Three<A, B, C>(A first, B second, C third) {}
