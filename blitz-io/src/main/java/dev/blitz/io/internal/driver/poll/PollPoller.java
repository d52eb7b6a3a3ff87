package dev.blitz.io.internal.driver.poll;

import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import dev.blitz.io.internal.driver.readiness.EventBits;
import dev.blitz.io.internal.driver.readiness.Poller;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * poll(2), level-triggered: all that is armed is named with each call, and what was found is not
 * armed any more. Its cost grows with the number of those who wait.
 */
final class PollPoller implements Poller {
  private static final int READ = EventBits.READABLE | EventBits.URGENT | EventBits.PEER_ENDED;
  private static final int ALWAYS = EventBits.ERROR | EventBits.HUNG_UP;

  /** No monitor: a virtual thread that is next for one may need the very worker that waits. */
  private final PinnedLock lock = new PinnedLock();

  private final Map<Integer, Armed> armed = new HashMap<>();
  private final Descriptor counter;

  /** Where a reset puts the old count; only the one who waits uses it. */
  private final MemorySegment scratch = PollAbi.allocateSet(1);

  private PollPoller(Descriptor counter) {
    this.counter = counter;
  }

  static PollPoller open() throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      int number = PosixErrors.check("eventfd", PosixCalls.eventCounter(frame));
      return new PollPoller(Descriptor.owning(number));
    } finally {
      frame.giveBack();
    }
  }

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
        now = new Armed(fd, key);
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
    boolean named;
    lock.lock();
    try {
      Armed now = armed.get(fd);
      named = now != null && now.key == key;
      if (named) {
        armed.remove(fd);
      }
    } finally {
      lock.unlock();
    }
    if (named) {
      wake(); // a call that names it keeps it open
    }
  }

  @Override
  public void await(Events into, long nanos) {
    poll((PollEvents) into, nanos, true);
  }

  @Override
  public void look(Events into) {
    poll((PollEvents) into, 0, false);
  }

  private void poll(PollEvents into, long nanos, boolean takesWake) {
    into.clear();
    if (!counter.tryUse()) {
      return; // it is closed
    }
    try {
      lock.lock();
      try {
        into.ask(counter.number(), armed.values());
      } finally {
        lock.unlock();
      }
      if (!into.await(nanos)) {
        return;
      }
      if (takesWake && into.isCounted()) {
        PosixCalls.reset(counter.number(), scratch);
      }
      lock.lock();
      try {
        into.take(this);
      } finally {
        lock.unlock();
      }
    } finally {
      counter.release();
    }
  }

  /**
   * Whether {@code one}, with which {@code bits} are the case, is still armed; those are not any
   * more. The number may be somebody else's by now. Under the lock.
   */
  boolean tell(Armed one, int bits) {
    if (armed.get(one.fd) != one) {
      return false;
    }
    if ((bits & (READ | ALWAYS)) != 0) {
      one.interest &= ~READ;
    }
    if ((bits & (EventBits.WRITABLE | ALWAYS)) != 0) {
      one.interest &= ~EventBits.WRITABLE;
    }
    boolean isKnown = (bits & (READ | ALWAYS | EventBits.WRITABLE)) != 0;
    if (one.interest == 0 || !isKnown) { // the number may be nobody's
      armed.remove(one.fd);
    }
    return true;
  }

  @Override
  public void wake() {
    if (counter.tryUse()) {
      try {
        PosixCalls.count(counter.number());
      } finally {
        counter.release();
      }
    }
  }

  @Override
  public void close() {
    wake();
    counter.close();
  }
}
