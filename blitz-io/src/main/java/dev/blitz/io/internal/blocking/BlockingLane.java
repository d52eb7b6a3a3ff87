package dev.blitz.io.internal.blocking;

/**
 * What a blocking call is for. Each lane has threads of its own: users wait inside their blocking
 * calls for what the runtime does in others, and would wait for ever if all shared one bounded pool
 * that is full of those who wait.
 *
 * <p>Nothing in a lane but {@link #USER} waits for another call of the runtime, so each of them
 * moves on by itself.
 */
public enum BlockingLane {
  /** Calls of users; as many threads as the builder says. */
  USER("blocking", 0),

  /**
   * Look-ups of host names. A name server that does not answer holds a thread for some ten seconds:
   * with fewer threads it would hold up other names sooner, more would only wait too.
   */
  NAMES("names", 32),

  /**
   * Closes of sockets that linger, each for as long as its user has asked for: with fewer threads
   * descriptors stay open for longer when many peers do not read. Also those of FIFOs and the like,
   * which end the calls that fill the lane of files.
   */
  CLOSES("closes", 32),

  /**
   * Cancel actions of users' calls, such as a statement's, which may ask a server: with fewer
   * threads those who do not answer hold up others sooner.
   */
  CANCELS("cancels", 16),

  /**
   * Calls on files. A disk is kept busy by some dozens of calls at a time; with fewer threads a few
   * that wait for ever, as for the other end of a FIFO, would hold up all others.
   */
  FILES("files", 64),

  /**
   * Signatures and checks of certificates in TLS handshakes. They compute, so more threads than
   * processors would only take time from the workers.
   */
  HANDSHAKES("handshakes", -1),

  /**
   * Starts of processes, each of which waits until the new program has been loaded: more would wait
   * for the same disk and the same locks of the kernel.
   */
  SPAWNS("spawns", 16),

  /**
   * Waits for FIFOs, and for pipes of processes that the JDK has started, one for each: with a
   * limit that is reached, programs that wait for each other would wait for ever.
   */
  PIPES("pipes", 30_000);

  private final String role;
  private final int threads;

  BlockingLane(String role, int threads) {
    this.role = role;
    this.threads = threads;
  }

  /** How its threads are called. */
  String role() {
    return role;
  }

  /**
   * How many threads it has at most.
   *
   * @param userThreads what the builder says of the users' lane
   * @param processors of the machine
   */
  int threads(int userThreads, int processors) {
    return switch (threads) {
      case 0 -> userThreads;
      case -1 -> Math.max(2, processors);
      default -> threads;
    };
  }
}
