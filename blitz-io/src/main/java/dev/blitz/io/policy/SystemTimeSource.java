package dev.blitz.io.policy;

/** {@link System#nanoTime()}. */
enum SystemTimeSource implements TimeSource {
  SYSTEM;

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }
}
