package dev.blitz.io.internal.base;

import java.util.concurrent.atomic.AtomicInteger;

/** Whether somebody wants to be told more, at some cost: a runtime in development is open. */
public final class Development {
  private static final AtomicInteger RUNTIMES = new AtomicInteger();

  private Development() {}

  /** A runtime in development is opened. */
  public static void begin() {
    RUNTIMES.incrementAndGet();
  }

  /** It is closed; once. */
  public static void end() {
    RUNTIMES.decrementAndGet();
  }

  /** Mostly not: what is made then costs this look. */
  public static boolean isOn() {
    return RUNTIMES.get() > 0;
  }
}
