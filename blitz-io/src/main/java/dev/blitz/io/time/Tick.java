package dev.blitz.io.time;

import java.time.Duration;

/**
 * One tick of an {@link Interval}.
 *
 * @param number counts from 0
 * @param late how long after its due time it was taken
 */
public record Tick(long number, Duration late) {}
