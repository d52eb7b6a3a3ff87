package dev.blitz.io.internal.driver.posix;

import dev.blitz.io.internal.base.UseCounted;

/**
 * A descriptor that is closed after its last use: whoever is about to make a call or to submit an
 * operation with its number uses it, and releases it afterwards. So no call hits a number that has
 * been given to something else.
 */
public class Descriptor extends UseCounted {
  private final int number;

  /** Owns {@code number} from now on. */
  public Descriptor(int number) {
    this.number = number;
  }

  /** As the constructor; if there is no memory for it, closes {@code number}. */
  public static Descriptor owning(int number) {
    try {
      return new Descriptor(number);
    } catch (Throwable t) {
      PosixCalls.close(number);
      throw t;
    }
  }

  /** The kernel's number; only between {@link #tryUse} and {@link #release}. */
  public final int number() {
    return number;
  }

  @Override
  protected void closeUnused() {
    PosixCalls.close(number);
  }

  @Override
  public final String toString() {
    return "descriptor " + number + usage();
  }
}
