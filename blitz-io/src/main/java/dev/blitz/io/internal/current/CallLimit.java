package dev.blitz.io.internal.current;

/** A limit around what a thread is calling. */
public interface CallLimit {

  /** Whether it, or one around it, has passed and no shield is up; only for that thread. */
  boolean isPassed();
}
