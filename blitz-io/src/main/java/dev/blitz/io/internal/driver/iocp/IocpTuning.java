package dev.blitz.io.internal.driver.iocp;

import java.util.concurrent.TimeUnit;

/** Sizes and times of this backend. */
final class IocpTuning {
  private IocpTuning() {}

  /**
   * Threads that take completions and wake tasks. One would do, but a waker of a user's that is
   * slow would then hold up everybody; more only hand the processor to each other.
   */
  static final int THREADS = 2;

  /**
   * The most that one read brings. Larger makes fewer reads of a bulk transfer, and connections
   * that had one and wait for more dearer: see {@link ReadSize}.
   */
  static final int MOST_IN = 64 << 10;

  /**
   * What the first read of a connection asks for, and those of one that gets little: so much memory
   * a pending read keeps at least, if its reader has room for it. Larger makes idle connections
   * dearer; smaller costs one that begins with a longer message a read more.
   */
  static final int FIRST_IN = 2048;

  /** The most that a write takes over. What was taken is sent also after a drop or a close. */
  static final int MOST_OUT = 128 << 10;

  /** The most that a try leaves behind what is being sent: the last records of a TLS connection. */
  static final int MOST_BEHIND = 64 << 10;

  /** Buffers of one vectored call, as with the other backends. */
  static final int MOST_VECTORS = 16;

  /**
   * How long a try waits for the completion of what it has begun: the JDK tells of bytes that are
   * there by another thread. Longer would be a wait.
   */
  static final long TRY_NANOS = 200_000;

  /**
   * How long a closed connection has for what was written before: as with io_uring. A peer that
   * does not read would keep it for ever.
   */
  static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** As {@link #LINGER_NANOS}, when the runtime closes. */
  static final long LAST_LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** For the threads to end, when there is nothing left to do. */
  static final long THREADS_END_NANOS = TimeUnit.SECONDS.toNanos(5);
}
