package dev.blitz.io.internal.driver.poll;

import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.LibcCalls;
import dev.blitz.io.internal.driver.readiness.EventBits;
import dev.blitz.io.internal.driver.readiness.FoundEvents;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** What one worker asks for, and what its call has found. Only for the worker's thread. */
final class PollEvents extends FoundEvents {
  /** Few enough that the worker has polled them before it takes more. */
  static final int CAPACITY = 64;

  private static final int FIRST_ROOM = 64;

  private final MemorySegment errno;
  private final MemorySegment timespec;

  private MemorySegment set = PollAbi.allocateSet(FIRST_ROOM);
  private @Nullable Armed[] asked = new Armed[FIRST_ROOM];
  private int named;

  /** Where the next look begins, so that nobody is always behind others. */
  private int turn;

  PollEvents() {
    super(CAPACITY);
    Arena arena = Arena.ofAuto();
    errno = LibcCalls.allocateErrno(arena);
    timespec = PollAbi.allocateTimespec(arena);
  }

  /** Names the counter, and all that is armed; under the poller's lock. */
  void ask(int counter, Collection<Armed> armed) {
    int needed = armed.size() + 1;
    if (needed > asked.length) {
      int room = Math.max(needed, asked.length * 2);
      set = PollAbi.allocateSet(room);
      asked = new Armed[room];
    } else {
      Arrays.fill(asked, 0, named, null);
    }
    PollAbi.ask(set, 0, counter, EventBits.READABLE);
    named = 1;
    for (Armed one : armed) {
      PollAbi.ask(set, named, one.fd, one.interest);
      asked[named++] = one;
    }
  }

  /** Waits, without limit if {@code nanos} is negative; whether anything was found. */
  boolean await(long nanos) {
    MemorySegment limit = MemorySegment.NULL;
    if (nanos >= 0) {
      PollAbi.setTimespec(timespec, nanos);
      limit = timespec;
    }
    int n = PollCalls.poll(errno, set, named, limit);
    if (n < 0 && n != -Errno.EINTR) {
      throw new IllegalStateException("poll: " + Errno.describe(-n));
    }
    return n > 0;
  }

  boolean isCounted() {
    return PollAbi.answer(set, 0) != 0;
  }

  /** Takes over what was found and is still armed; under the poller's lock. */
  void take(PollPoller from) {
    int others = named - 1;
    for (int i = 0; i < others && !isFull(); i++) {
      int index = 1 + (turn + i) % others;
      int found = PollAbi.answer(set, index);
      Armed one = asked[index];
      if (found != 0 && one != null && from.tell(one, found)) {
        add(one.key, found);
      }
    }
    turn = others == 0 ? 0 : (turn + CAPACITY) % others;
  }
}
