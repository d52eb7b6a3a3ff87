package dev.blitz.parallel.internal.spin;

/** The code of a loop: interpreted, or spun for one shape. Stateless. */
abstract class LoopCode {
  /**
   * Takes elements through all steps to the end.
   *
   * @param segment what to run, of the shape this is for
   * @param cell where values go; for {@link Form#APPEND} with room for all
   * @param from the index of the first
   * @param count how many
   */
  abstract void run(Segment segment, Cell cell, long from, int count);
}
