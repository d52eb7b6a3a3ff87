package dev.blitz.io.internal.driver.nio;

import dev.blitz.io.internal.driver.readiness.FoundEvents;

/**
 * What one worker has found. As many as a call of the selector finds: to leave some out would leave
 * out the same ones each time. Only for the worker's thread.
 */
final class SelectorEvents extends FoundEvents {
  private static final int FIRST_ROOM = 64;

  SelectorEvents() {
    super(FIRST_ROOM);
  }

  /** Takes the memory for one more. */
  void reserve() {
    if (isFull()) {
      grow();
    }
  }
}
