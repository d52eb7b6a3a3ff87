package dev.blitz.io.internal.driver.readiness;

import java.io.IOException;

/**
 * What one worker at a time waits in for the events of all descriptors. Thread safe. One thread at
 * a time {@linkplain #await waits}; others may {@linkplain #look look} meanwhile. Virtual threads
 * call it too, on the workers that look: it must have no monitor that is fought for, nor any lock
 * with a queue.
 */
public interface EventSource {

  /** Makes sources; opens descriptors. */
  @FunctionalInterface
  interface Maker<S extends EventSource> {
    S open() throws IOException;
  }

  /** What was found: belongs to one worker. The bits are those of {@link EventBits}. */
  interface Events {
    int count();

    /** What the descriptor was armed with; a number that nothing was armed with is left out. */
    long key(int index);

    int bits(int index);

    void clear();
  }

  /** An empty batch. It holds so few that its worker has polled them before it takes more. */
  Events newEvents();

  /**
   * Waits until something is found, {@link #wake}, or {@code nanos} have passed; without limit if
   * negative. Uses up a wake. If it throws, what was found before stays in the batch.
   */
  void await(Events into, long nanos);

  /** Takes what is there now, as {@link #await}; a wake stays for the one who waits. */
  void look(Events into);

  /** Ends the present or the next {@link #await}. */
  void wake();

  /** After the last wait, or beside a thread that is stuck in one: its call ends first. */
  void close();
}
