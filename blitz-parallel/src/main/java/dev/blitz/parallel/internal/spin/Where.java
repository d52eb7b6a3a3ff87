package dev.blitz.parallel.internal.spin;

import dev.blitz.parallel.LoopOptions;
import dev.blitz.parallel.internal.LoopHome;

/**
 * Where a pipeline runs and what stops it.
 *
 * @param home where
 * @param options how to cut and stop its loops
 */
public record Where(LoopHome home, LoopOptions options) {}
