package dev.blitz.io.bytes;

/**
 * How many bytes went which way; see {@link Bytes#copyBothWays}.
 *
 * @param there from the first stream to the second
 * @param back from the second to the first
 */
public record Traffic(long there, long back) {}
