package dev.blitz.io.future;

/** The results of two futures that ran together. */
public record Both<A, B>(A first, B second) {}
