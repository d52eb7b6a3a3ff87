package dev.blitz.io.internal.driver.epoll;

import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.readiness.EventSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The events that one worker has taken from the instance. Only for the worker's thread. */
final class EpollEvents implements EventSource.Events {
  /**
   * Few enough that the worker has polled them before it takes more, so that its ring never
   * overflows, and enough that the call costs little for each.
   */
  static final int CAPACITY = 64;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final MemorySegment events;
  private final MemorySegment errno;
  private final MemorySegment timespec;
  private int count;

  /**
   * Whether waits to the nanosecond work: a C library may know them where the kernel, or the filter
   * of a container, does not.
   */
  private boolean fine = EpollCalls.isFine();

  EpollEvents() {
    Arena arena = Arena.ofAuto();
    events = EpollAbi.allocateEvents(arena, CAPACITY);
    errno = LibcCalls.allocateErrno(arena);
    timespec = EpollAbi.allocateTimespec(arena);
  }

  /** Takes what is there; waits at most {@code nanos} for it, or without limit if negative. */
  void await(int epoll, long nanos) {
    int n = nanos > 0 && fine ? waitFine(epoll, nanos) : waitMillis(epoll, nanos);
    if (n < 0 && n != -Errno.EINTR) {
      throw new IllegalStateException("epoll_wait: " + Errno.describe(-n));
    }
    count = Math.max(n, 0);
  }

  private int waitFine(int epoll, long nanos) {
    EpollAbi.setTimespec(timespec, nanos);
    int n = EpollCalls.waitFine(errno, epoll, events, CAPACITY, timespec);
    if (n != -Errno.ENOSYS && n != -Errno.EPERM) {
      return n;
    }
    fine = false;
    return waitMillis(epoll, nanos);
  }

  private int waitMillis(int epoll, long nanos) {
    return EpollCalls.waitMillis(errno, epoll, events, CAPACITY, millis(nanos));
  }

  boolean isFine() {
    return fine;
  }

  /**
   * Whether the watcher's wake is among the events. If it is the only one, nothing is left to
   * serve.
   */
  boolean takeWake() {
    for (int i = 0; i < count; i++) {
      if (key(i) == EpollPoller.WAKE) {
        if (count == 1) {
          count = 0;
        }
        return true;
      }
    }
    return false;
  }

  /** Rounded up: a timer must not be looked at too early, again and again. */
  private static int millis(long nanos) {
    if (nanos <= 0) {
      return nanos < 0 ? -1 : 0;
    }
    return (int) Math.min(Integer.MAX_VALUE, (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI);
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public long key(int index) {
    return EpollAbi.data(events, index);
  }

  @Override
  public int bits(int index) {
    return EpollAbi.events(events, index);
  }

  @Override
  public void clear() {
    count = 0;
  }
}
