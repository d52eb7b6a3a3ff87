package dev.blitz.io.future;

/**
 * Which of several futures was ready first.
 *
 * @param index its place in the list given to {@link Futures#select}
 * @param value its result
 */
public record Selected<T>(int index, T value) {}
