package dev.blitz.parallel.internal.spin;

import org.jspecify.annotations.Nullable;

/**
 * One step of a pipeline.
 *
 * @param op what
 * @param function the user's
 * @param other what a zip takes its second argument from
 * @param flattener how to call the function of a flat map
 */
public record Step(Op op, Object function, @Nullable Source other, @Nullable Flattener flattener) {
  Step(Op op, Object function, @Nullable Source other) {
    this(op, function, other, null);
  }
}
