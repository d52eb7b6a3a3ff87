package dev.blitz.io.internal.driver.poll;

import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.driver.readiness.EventBits;
import dev.blitz.io.internal.driver.readiness.Poller;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;

/**
 * poll(2), level-triggered: all that is armed is named with each call, and what was found is not
 * armed any more.
 */
final class PollPoller implements Poller {
  private static final int READ = EventBits.READABLE | EventBits.URGENT | EventBits.PEER_ENDED;
  private static final int ALWAYS = EventBits.ERROR | EventBits.HUNG_UP;

  /** A descriptor and what is waited for; under the poller's lock. */
  private static final class Armed {
    final long key;
    int interest;

    Armed(long key) {
      this.key = key;
    }
  }

  /** No monitor: a virtual thread that is next for one may need the very worker that waits. */
  private final PinnedLock lock = new PinnedLock();

  private final int counter = PollCalls.eventCounter();
  private final Map<Integer, Armed> armed = new HashMap<>();
  private boolean closed;

  @Override
  public Events newEvents() {
    return new PollEvents();
  }

  @Override
  public boolean staysArmed() {
    return false;
  }

  @Override
  public void arm(int fd, int interest, long key) {
    lock.lock();
    try {
      Armed now = armed.get(fd);
      if (now == null || now.key != key) {
        now = new Armed(key);
        armed.put(fd, now);
      }
      now.interest |= interest;
    } finally {
      lock.unlock();
    }
    wake(); // whoever waits does not know of it
  }

  @Override
  public void disarm(int fd, long key) {
    lock.lock();
    try {
      Armed now = armed.get(fd);
      if (now != null && now.key == key) {
        armed.remove(fd);
        wake(); // a call that names it keeps it open
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void await(Events into, long nanos) {
    int millis = nanos < 0 ? -1 : (int) Math.min(Integer.MAX_VALUE, (nanos + 999_999) / 1_000_000);
    poll((PollEvents) into, millis, true);
  }

  @Override
  public void look(Events into) {
    poll((PollEvents) into, 0, false);
  }

  private void poll(PollEvents into, int millis, boolean takesWake) {
    into.clear();
    try (var arena = Arena.ofConfined()) {
      MemorySegment set;
      Map<Integer, Armed> asked;
      lock.lock();
      try {
        if (closed) {
          return;
        }
        asked = new HashMap<>(armed);
        set = PollCalls.allocate(arena, asked.size() + 1);
        PollCalls.ask(set, 0, counter, EventBits.READABLE);
        int i = 1;
        for (Entry<Integer, Armed> one : asked.entrySet()) {
          PollCalls.ask(set, i++, one.getKey(), one.getValue().interest);
        }
      } finally {
        lock.unlock();
      }
      PollCalls.poll(set, asked.size() + 1, millis);
      if (takesWake && PollCalls.answer(set, 0) != 0) {
        PollCalls.reset(counter);
      }
      lock.lock();
      try {
        for (int i = 1; i <= asked.size() && into.count < PollEvents.CAPACITY; i++) {
          found(into, PollCalls.fd(set, i), PollCalls.answer(set, i), asked);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** The number may be somebody else's by now: only what is still armed counts. */
  private void found(PollEvents into, int fd, int bits, Map<Integer, Armed> asked) {
    @Nullable Armed now = armed.get(fd);
    if (bits == 0 || now == null || now != asked.get(fd)) {
      return;
    }
    if ((bits & (READ | ALWAYS)) != 0) {
      now.interest &= ~READ;
    }
    if ((bits & (EventBits.WRITABLE | ALWAYS)) != 0) {
      now.interest &= ~EventBits.WRITABLE;
    }
    if (now.interest == 0) {
      armed.remove(fd);
    }
    into.keys[into.count] = now.key;
    into.bits[into.count++] = bits;
  }

  @Override
  public void wake() {
    lock.lock();
    try {
      if (!closed) {
        PollCalls.count(counter);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      PollCalls.close(counter);
    } finally {
      lock.unlock();
    }
  }
}
