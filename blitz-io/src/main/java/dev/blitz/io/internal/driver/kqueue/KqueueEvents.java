package dev.blitz.io.internal.driver.kqueue;

import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.readiness.EventBits;
import dev.blitz.io.internal.driver.readiness.FoundEvents;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The events that one worker has taken from the queue. Only for the worker's thread. */
final class KqueueEvents extends FoundEvents {
  /** Few enough that the worker has polled them before it takes more. */
  static final int CAPACITY = 64;

  private final KqueueCalls calls;
  private final KqueueAbi abi;
  private final MemorySegment events;
  private final MemorySegment errno;
  private final MemorySegment timespec;

  KqueueEvents(KqueueCalls calls) {
    super(CAPACITY);
    this.calls = calls;
    this.abi = calls.abi();
    Arena arena = Arena.ofAuto();
    events = abi.allocate(arena, CAPACITY);
    errno = LibcCalls.allocateErrno(arena);
    timespec = KqueueAbi.allocateTimespec(arena);
  }

  /**
   * Takes what is there, beside what it has; waits at most {@code nanos} for it, or without limit
   * if negative.
   *
   * @return whether the wake of the one who waits was among it
   */
  boolean await(int queue, long nanos) {
    MemorySegment limit = MemorySegment.NULL;
    if (nanos >= 0) {
      KqueueAbi.setTimespec(timespec, nanos);
      limit = timespec;
    }
    int n = calls.kevent(errno, queue, MemorySegment.NULL, 0, events, CAPACITY - count(), limit);
    if (n < 0 && n != -Errno.EINTR) {
      throw new IllegalStateException("kevent: " + Errno.describe(-n));
    }
    boolean woken = false;
    for (int i = 0; i < n; i++) {
      if (abi.filter(events, i) == abi.userFilter()) {
        woken = true;
      } else {
        add(abi.userData(events, i), bitsOf(i)); // as many were asked for as fit
      }
    }
    return woken;
  }

  /**
   * With something to be read {@link EventBits#URGENT} too: nobody tells of an urgent byte, in
   * front of which a read ends though more follows. So only EAGAIN means that nothing is left.
   */
  private int bitsOf(int index) {
    int flags = abi.flags(events, index);
    boolean ends = (flags & KqueueAbi.EV_EOF) != 0;
    boolean fails = (flags & KqueueAbi.EV_ERROR) != 0 || (ends && abi.note(events, index) != 0);
    int found =
        abi.filter(events, index) == KqueueAbi.EVFILT_WRITE
            ? EventBits.WRITABLE | (ends ? EventBits.HUNG_UP : 0)
            : EventBits.READABLE | EventBits.URGENT | (ends ? EventBits.PEER_ENDED : 0);
    return found | (fails ? EventBits.ERROR : 0);
  }
}
