package dev.blitz.io.internal.driver.uring;

/** The sizes of the io_uring driver, and why. */
final class UringTuning {
  private UringTuning() {}

  /**
   * Entries of a submission queue. Multishot operations stay armed, so a round of the worker adds a
   * few; a full queue costs one system call more, not a failure.
   */
  static final int SUBMISSIONS = 256;

  /**
   * Entries of a completion queue: a burst of one completion for each of some thousand connections.
   * Beyond that the kernel keeps completions aside and ends multishot operations, which is slow but
   * loses nothing.
   */
  static final int COMPLETIONS = 4096;

  /**
   * Bytes of a receive buffer: one completion per 8 KB of a bulk transfer. Memory is only touched
   * as far as data reaches, so small messages do not pay for the rest.
   */
  static final int BUFFER_BYTES = 8192;

  /**
   * Buffers that the kernel has at first: few, so that they stay in the cache. It goes round all
   * that it has, so more cost misses of the cache, and fewer a receive that ends, and is armed
   * again, in each burst until there are enough.
   */
  static final int FIRST_BUFFERS = 64;

  /** The same for a ring that gets {@code most}: small ones have room to grow too. */
  static int firstBuffers(int most) {
    return Math.clamp(most / 4, 1, FIRST_BUFFERS);
  }

  /**
   * Buffers that the rings of a runtime share evenly: 64 MB. What is unread beyond that stays in
   * the kernel. More would let more connections wait unread before reads cost a system call each.
   */
  private static final int MOST_BUFFERS = 8192;

  /** The most per ring: a burst of one arrival for each of some thousand connections. */
  private static final int MOST_BUFFERS_PER_RING = 4096;

  /** The fewest per ring, on machines with many processors. */
  private static final int FEWEST_BUFFERS_PER_RING = 256;

  /** The receive buffers of one of {@code rings} rings, a power of two. */
  static int buffersPerRing(int rings) {
    return Math.clamp(
        Integer.highestOneBit(MOST_BUFFERS / rings),
        FEWEST_BUFFERS_PER_RING,
        MOST_BUFFERS_PER_RING);
  }

  /** Operations that a ring has room for at first: a few sockets. Growing is rare and cheap. */
  static final int FIRST_OPERATIONS = 16;

  /**
   * Bytes between two buffers: a line of the cache. Without them all would begin in the same lines
   * of it, their size being a power of two; more would only cost memory.
   */
  static final int GAP_BYTES = 64;

  /** Wakes and ends of use that are gathered under a ring's lock before they are carried out. */
  static final int WOKEN_AT_ONCE = 1024;

  /** The same for whoever serves in the middle of a poll, and makes a list for that. */
  static final int WOKEN_IN_A_HURRY = 32;

  /**
   * Bytes that may wait unread in a stream before its receive is cancelled, so that the peer is
   * slowed down. What is on its way until then still arrives.
   */
  static final int MOST_UNREAD_BYTES = 64 * 1024;

  /** Connections that may wait for an accept before the kernel's own backlog takes over. */
  static final int MOST_UNACCEPTED = 64;

  /**
   * Bytes of a write that is staged, so that it goes to the kernel with all others of its round. A
   * larger one is sent at once: there the copy would cost more than the call.
   */
  static final int SEND_BYTES = 16 * 1024;

  /**
   * Further writes that may join one which the kernel has not taken. More would save calls of tasks
   * that write byte by byte; but a writer learns of failure, and waits for a slow peer, only when
   * it has to wait for a send.
   */
  static final int MOST_JOINED = 64;

  /** Staged writes per ring; beyond that, which takes peers that do not read, writes go at once. */
  static final int MOST_SENDS = 1024;

  /**
   * How long the peer of a stream that has been closed may keep from reading what was staged for
   * it; then it sees a reset. Its descriptor is open until then: longer would let more of those who
   * do not read use up descriptors, shorter would cut off those who are slow. The kernel gives up
   * on peers of closed sockets after some such time too.
   */
  static final int CLOSED_SEND_MILLIS = 20_000;

  /**
   * How long closing waits for peers to read what was staged for them; then they see a reset.
   * Longer would keep a program from ending for the sake of peers that may never read.
   */
  static final long SEND_GRACE_NANOS = 2_000_000_000L;

  /**
   * How often closing looks meanwhile. More often would use up a processor; less often would end it
   * later than the last peer has read.
   */
  static final long SEND_LOOK_NANOS = 1_000_000;

  /**
   * How long a worker naps when the kernel cannot wait for it now. Shorter would use up a processor
   * while that lasts; longer would let completions wait.
   */
  static final long PUT_OFF_NANOS = 1_000_000;

  /**
   * How long a try waits for bytes that have arrived, and that the kernel is about to bring by a
   * receive that is armed on another worker's ring: some switches of threads. It waits for no peer.
   */
  static final long TRY_NANOS = 200_000;

  /**
   * How often an operation is cancelled again that the kernel has not found. It is out of sight for
   * a few steps of the kernel, so once is nearly always enough; without a limit one that cannot be
   * cancelled at all, a read of a disk that hangs, would keep its worker busy.
   */
  static final int CANCELS_IN_VAIN = 1_000;

  /** How long closing waits for operations to complete before it abandons their memory. */
  static final long CLOSE_NANOS = 2_000_000_000L;

  /**
   * How long a bind goes on after the last operation on a closed socket has completed: the kernel
   * shows a completion before it lets go of the socket, on a thread that may lose its processor in
   * between. Shorter would lose an address now and then, longer holds up whoever binds to one that
   * another program has.
   */
  static final long AFTER_COMPLETION_NANOS = 2_000_000L;
}
