package dev.blitz.parallel;

/**
 * The results of two computations that were joined, in the order of the arguments.
 *
 * {@snippet :
 * var both = Parallel.join(() -> load(left), () -> load(right));
 * compare(both.first(), both.second());
 * }
 *
 * @param first that of the first computation
 * @param second that of the second
 */
public record Both<A, B>(A first, B second) {}
