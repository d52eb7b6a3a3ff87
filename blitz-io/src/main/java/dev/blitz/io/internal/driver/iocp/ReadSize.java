package dev.blitz.io.internal.driver.iocp;

/**
 * How much a read that waits asks for: about as much as the last ones have brought. A read keeps
 * its memory for as long as it is pending, and most connections wait for little, most of the time.
 * Only for the reading side.
 */
final class ReadSize {
  private int bytes = IocpTuning.FIRST_IN;

  /** For a reader that has room for {@code wanted}. */
  int of(int wanted) {
    return Math.min(wanted, bytes);
  }

  /** A read of {@code asked} bytes has brought {@code n}: if that is all, there may be more. */
  void brought(int asked, int n) {
    if (n == asked && asked == bytes) {
      bytes = Math.min(bytes * 4, IocpTuning.MOST_IN);
    } else if (n < bytes / 8 && bytes > IocpTuning.FIRST_IN) {
      bytes /= 2;
    }
  }
}
