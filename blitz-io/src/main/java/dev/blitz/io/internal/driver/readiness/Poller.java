package dev.blitz.io.internal.driver.readiness;

import java.io.IOException;

/**
 * What a readiness backend has to be able to do. Thread safe. One thread at a time {@linkplain
 * #await waits}; others may {@linkplain #look look} meanwhile. Virtual threads call it too, on the
 * workers that look: it must have no monitor, nor any lock with a queue.
 */
public interface Poller {

  /** Makes pollers; opens descriptors. */
  @FunctionalInterface
  interface Maker {
    Poller open() throws IOException;
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
   * Lets the next change of {@code fd} be found, and what is already the case. Where a descriptor
   * {@linkplain #staysArmed stays armed} this is called once, with all that is of interest; else
   * before each wait, with what that wait is for: it adds to what is armed, and what was found is
   * not armed any more. Its caller is using the descriptor; two may call for the same one at a
   * time.
   */
  void arm(int fd, int interest, long key) throws IOException;

  /** Whether each later change is found too, once (edge-triggered). */
  boolean staysArmed();

  /** The descriptor is about to be closed. The kernel may know of that by itself. */
  default void disarm(int fd, long key) {}

  /**
   * As {@link #disarm}, of a descriptor that was armed and that others may have too: the kernel
   * does not know by itself that this one is closed. Called before it.
   */
  default void disarmShared(int fd) {}

  /**
   * Waits until something is found, {@link #wake}, or {@code nanos} have passed; without limit if
   * negative. Uses up a wake.
   */
  void await(Events into, long nanos);

  /** Takes what is there now; a wake stays for the one who waits. */
  void look(Events into);

  /**
   * For {@link #holdsClosed}: which call somebody waits in now, if that keeps closed descriptors
   * open until it ends.
   */
  default int callNow() {
    return 0;
  }

  /**
   * Whether what was closed before {@link #callNow} was asked for may still be open, because of a
   * call in progress; ends the wait.
   */
  default boolean holdsClosed(int call) {
    return false;
  }

  /** Ends the present or the next {@link #await}. */
  void wake();

  /** After the last wait, or beside a thread that is stuck in one: its call ends first. */
  void close();
}
