package dev.blitz.io.internal.driver.kqueue;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.readiness.EventBits;
import dev.blitz.io.internal.driver.readiness.Poller;
import dev.blitz.io.internal.driver.socket.SocketErrors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A kernel queue, edge-triggered, and the event of its own by which its watcher is woken. */
/* Implementation notes
 *
 * Filters. A descriptor has one filter for each direction, so it may be in a batch twice. They are added by one call, each with a
 * receipt: one may be refused and the other not.
 *
 * Told. A pipe whose other end has gone is refused (EPIPE) on some systems, by a filter that would otherwise say so. What nobody will say
 * any more is put into `told`, as an event, and the watcher is woken for it.
 *
 * Wakes. The event for them is cleared by whoever takes it. One who only looks and finds it brings it about again, after it has
 * taken: a watcher that comes between the two waits, and is woken by that.
 *
 * Closing. The kernels forget a descriptor with its number. A library beside the kernel cannot, and is told before.
 */
final class KqueuePoller implements Poller {
  /** The number of the event for wakes; descriptors have another filter. */
  private static final int WAKE = 0;

  private record Told(long key, int bits) {}

  private final KqueueCalls calls;
  private final KqueueAbi abi;
  private final Descriptor queue;
  private final MemorySegment trigger;
  private final ConcurrentLinkedQueue<Told> told = new ConcurrentLinkedQueue<>();

  private KqueuePoller(KqueueCalls calls, Descriptor queue) {
    this.calls = calls;
    this.abi = calls.abi();
    this.queue = queue;
    trigger = abi.allocate(Arena.ofAuto(), 1);
    abi.set(trigger, 0, WAKE, abi.userFilter(), 0, KqueueAbi.NOTE_TRIGGER, 0);
  }

  static KqueuePoller open(KqueueCalls calls) throws IOException {
    Descriptor queue = calls.open();
    try {
      var poller = new KqueuePoller(calls, queue);
      poller.addWake();
      return poller;
    } catch (Throwable t) {
      queue.close();
      throw t;
    }
  }

  private void addWake() throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      MemorySegment change = frame.staging();
      int flags = KqueueAbi.EV_ADD | KqueueAbi.EV_CLEAR;
      abi.set(change, 0, WAKE, abi.userFilter(), flags, 0, 0);
      int r =
          calls.kevent(
              frame.errno(), queue.number(), change, 1, MemorySegment.NULL, 0, MemorySegment.NULL);
      if (r < 0) {
        throw SocketErrors.of("kevent", -r);
      }
    } finally {
      frame.giveBack();
    }
  }

  @Override
  public Events newEvents() {
    return new KqueueEvents(calls);
  }

  @Override
  public boolean staysArmed() {
    return true;
  }

  @Override
  public void arm(int fd, int interest, long key) throws IOException {
    CallFrame frame = CallFrame.take(); // first: it may find no memory
    try {
      if (!queue.tryUse()) {
        throw new ClosedChannelException();
      }
      try {
        change(frame, fd, interest, KqueueAbi.EV_ADD | KqueueAbi.EV_CLEAR, key);
      } finally {
        queue.release();
      }
    } finally {
      frame.giveBack();
    }
  }

  /** While in use. */
  private void change(CallFrame frame, int fd, int interest, int flags, long key)
      throws IOException {
    MemorySegment changes = frame.staging();
    int count = fill(changes, fd, interest, flags | KqueueAbi.EV_RECEIPT, key);
    int n =
        calls.kevent(
            frame.errno(), queue.number(), changes, count, changes, count, MemorySegment.NULL);
    if (n < 0) {
      throw refused(-n);
    }
    for (int i = 0; i < n; i++) {
      int errno = Errno.ofSystem((int) abi.data(changes, i));
      if (errno == Errno.EPIPE) {
        boolean writes = abi.filter(changes, i) == KqueueAbi.EVFILT_WRITE;
        told.add(
            new Told(
                key,
                writes
                    ? EventBits.WRITABLE | EventBits.HUNG_UP
                    : EventBits.READABLE | EventBits.PEER_ENDED));
        calls.change(queue.number(), trigger);
      } else if (errno != 0) {
        throw refused(errno);
      }
    }
  }

  private int fill(MemorySegment changes, int fd, int interest, int flags, long key) {
    int count = 0;
    if ((interest & ~EventBits.WRITABLE) != 0) {
      abi.set(changes, count++, fd, KqueueAbi.EVFILT_READ, flags, 0, key);
    }
    if ((interest & EventBits.WRITABLE) != 0) {
      abi.set(changes, count++, fd, KqueueAbi.EVFILT_WRITE, flags, 0, key);
    }
    return count;
  }

  private static IOException refused(int errno) {
    return switch (errno) {
      case Errno.EINVAL, Errno.EPERM, Errno.EOPNOTSUPP ->
          new IOException("a descriptor of this kind cannot be waited for");
      default -> SocketErrors.of("kevent", errno);
    };
  }

  @Override
  public void disarm(int fd, long key) {
    if (abi.forgetsClosed() || !queue.tryUse()) {
      return;
    }
    try {
      CallFrame frame = CallFrame.take();
      try {
        MemorySegment changes = frame.staging();
        int count =
            fill(
                changes,
                fd,
                EventBits.READABLE | EventBits.WRITABLE,
                KqueueAbi.EV_DELETE | KqueueAbi.EV_RECEIPT,
                key);
        // What was never armed is not there to be deleted: nothing depends on the answers.
        calls.kevent(
            frame.errno(), queue.number(), changes, count, changes, count, MemorySegment.NULL);
      } finally {
        frame.giveBack();
      }
    } finally {
      queue.release();
    }
  }

  @Override
  public void await(Events into, long nanos) {
    take((KqueueEvents) into, nanos, true);
  }

  @Override
  public void look(Events into) {
    take((KqueueEvents) into, 0, false);
  }

  private void take(KqueueEvents into, long nanos, boolean takesWake) {
    into.clear();
    if (!queue.tryUse()) {
      return;
    }
    try {
      boolean found = takeTold(into);
      boolean woken = !into.isFull() && into.await(queue.number(), found ? 0 : nanos);
      if (woken && !takesWake) {
        // Not for us. Within this use: a close may have brought it about, and wait for no other.
        calls.change(queue.number(), trigger);
      }
      if (woken) {
        takeTold(into); // it may have been for that
      }
    } finally {
      queue.release();
    }
  }

  private boolean takeTold(KqueueEvents into) {
    boolean found = false;
    while (!into.isFull()) {
      Told next = told.poll();
      if (next == null) {
        break;
      }
      into.add(next.key, next.bits);
      found = true;
    }
    return found;
  }

  @Override
  public void wake() {
    if (queue.tryUse()) {
      try {
        calls.change(queue.number(), trigger);
      } finally {
        queue.release();
      }
    }
  }

  @Override
  public void close() {
    wake(); // a thread that is stuck in a wait uses the number
    queue.close();
  }
}
