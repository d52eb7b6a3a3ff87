package dev.blitz.examples.internal;

/** A type that no exported signature may mention. */
public record Secret() {}
