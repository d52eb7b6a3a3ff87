package dev.blitz.io.fs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A loop over lines. Most of them are in memory when the one before has been used, and need no
 * await; every now and then there is one all the same, so that the loop sees a cancellation and
 * lets others run.
 */
final class LineIterator implements Iterator<String> {
  /**
   * How many lines are taken without an await. More would keep the worker for longer, fewer cost
   * more awaits.
   */
  private static final int BETWEEN_AWAITS = 63;

  private final FileLines lines;
  private final Iterator<String> awaiting;
  private @Nullable String line;
  private int left;

  LineIterator(FileLines lines, Iterator<String> awaiting) {
    this.lines = lines;
    this.awaiting = awaiting;
  }

  @Override
  public boolean hasNext() {
    if (line == null) {
      line = left > 0 ? nextNow() : null;
      if (line != null) {
        left--;
      } else if (awaiting.hasNext()) {
        line = awaiting.next();
        left = BETWEEN_AWAITS;
      }
    }
    return line != null;
  }

  private @Nullable String nextNow() {
    try {
      return lines.nextNow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String next() {
    if (!hasNext()) {
      throw new NoSuchElementException("there are no more lines");
    }
    String taken = line;
    line = null;
    if (taken == null) {
      throw new NoSuchElementException("two threads use one iterator");
    }
    return taken;
  }
}
