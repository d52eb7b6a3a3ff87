package dev.blitz.parallel.internal.spin;

import org.jspecify.annotations.Nullable;

/** A source, steps and an end that one loop can run. Spun code reads it by these methods. */
final class Segment {
  private final Source source;
  private final Step[] steps;
  private final Form form;
  private final Kind kind;
  private final @Nullable Object function;

  /**
   * What a loop runs.
   *
   * @param source what
   * @param steps none of them flat
   * @param form of the end
   * @param kind of what reaches the end
   * @param function of the end, if it has one
   */
  Segment(Source source, Step[] steps, Form form, Kind kind, @Nullable Object function) {
    this.source = source;
    this.steps = steps;
    this.form = form;
    this.kind = kind;
    this.function = function;
  }

  Source source() {
    return source;
  }

  Step[] steps() {
    return steps;
  }

  Form form() {
    return form;
  }

  Kind kind() {
    return kind;
  }

  @Nullable Object function() {
    return function;
  }

  boolean isStrided() {
    boolean strided = source.isStrided();
    for (Step step : steps) {
      Source other = step.other();
      strided |= other != null && other.isStrided();
    }
    return strided;
  }

  Segment withFunction(Object other) {
    return new Segment(source, steps, form, kind, other);
  }

  Object functionOf(int step) {
    return steps[step].function();
  }

  Object otherData(int step) {
    return other(step).data();
  }

  long otherAt(int step, long index) {
    Source other = other(step);
    return other.base() + index * other.stride();
  }

  long otherStride(int step) {
    return other(step).stride();
  }

  private Source other(int step) {
    Source other = steps[step].other();
    if (other == null) {
      throw new IllegalStateException("step " + step + " is no zip");
    }
    return other;
  }

  long at(long index) {
    return source.base() + index * source.stride();
  }
}
