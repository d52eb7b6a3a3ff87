package dev.blitz.io.future;

/** The results of three futures that ran together. */
public record Three<A, B, C>(A first, B second, C third) {}
