package dev.blitz.parallel.internal.spin;

/** What a flat map does, whatever it is called with. */
public interface Flattener {
  /**
   * The elements for one element.
   *
   * @param bits a number
   * @param ref an object
   */
  Pipe flatten(long bits, Object ref);
}
