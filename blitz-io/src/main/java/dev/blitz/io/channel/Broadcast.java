package dev.blitz.io.channel;

import dev.blitz.io.internal.task.PinnedLock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A channel of which every receiver gets every message that is sent after it has subscribed.
 *
 * {@snippet :
 * Broadcast<Event> events = Broadcast.create(128);
 * BroadcastReceiver<Event> log = events.subscribe();
 * events.send(new Event("started"));
 * Future<Event> first = log.receive();
 * }
 *
 * <p>Sending never waits. The last {@code capacity} messages are kept for those who are behind; a
 * receiver that falls further back is told how many it has missed ({@link LaggedException}) and
 * goes on with the oldest message that is left: received + missed = sent.
 *
 * <p>Thread safe; messages are received in the order in which they were sent. Sending takes a lock
 * for some instructions, receiving none. A message is kept until it is overwritten.
 *
 * @param <T> the type of the messages, which are never null
 */
/* Implementation notes
 *
 * tail is the position of the next message; position p is in slot p & mask. There are more slots than the
 * capacity: the slot of p is overwritten only when tail >= p + slots > p + capacity. So a receiver reads the slot
 * first and tail after: if tail <= p + capacity then, what it read was the message of p.
 *
 * Orderings
 *   field   | writer            | reader     | mode            | pairs with
 *   slots   | send, lock        | receivers  | release/acquire | release: not seen before the tail of the send before;
 *           |                   |            |                 | acquire: tail is read after
 *   tail    | send, lock        | receivers  | volatile        | publishes the slot; then send looks at waiting, as a
 *           |                   |            |                 | waiter looks at tail after it has set waiting
 *   closed  | close, lock       | receivers  | volatile        | read before tail: then tail is final
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock
public final class Broadcast<T> {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  final WaitQueue waiters = new WaitQueue(false);
  private final int capacity;
  private final int mask;
  private final @Nullable Object[] slots;
  private volatile long tail;
  private volatile boolean closed;

  private final PinnedLock lock = new PinnedLock();

  /** Guarded by {@code lock}. */
  private int receivers;

  /** {@code start}: the first position, for tests of the overflow. */
  Broadcast(int capacity, long start) {
    this.capacity = capacity;
    slots = new Object[Integer.highestOneBit(capacity) << 1];
    mask = slots.length - 1;
    tail = start;
  }

  /**
   * A channel that keeps {@code capacity} messages.
   *
   * @throws IllegalArgumentException unless the capacity is from 1 to {@code 1 << 29}
   */
  public static <T> Broadcast<T> create(int capacity) {
    if (capacity < 1 || capacity > 1 << 29) {
      throw new IllegalArgumentException(
          "the capacity of a broadcast is from 1 to " + (1 << 29) + ", not " + capacity);
    }
    return new Broadcast<>(capacity, 0);
  }

  /** A receiver of what is sent from now on. */
  public BroadcastReceiver<T> subscribe() {
    lock.lock();
    try {
      receivers++;
      return new BroadcastReceiver<>(this, tail);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends a message to all who have subscribed.
   *
   * @return how many that are; nobody will see the message if there are none
   * @throws ChannelClosedException if it was closed
   */
  public int send(T value) {
    Objects.requireNonNull(value, "value");
    int reached;
    lock.lock();
    try {
      if (closed) {
        throw ChannelClosedException.sending(toString(), value);
      }
      long p = tail;
      SLOT.setRelease(slots, (int) p & mask, value);
      tail = p + 1;
      reached = receivers;
    } finally {
      lock.unlock();
    }
    if (waiters.hasWaiters()) {
      waiters.wakeAll();
    }
    return reached;
  }

  /**
   * Ends the sending and wakes all who wait; they still get what was sent before.
   *
   * @return whether this call was the one that did
   */
  public boolean close() {
    lock.lock();
    try {
      if (closed) {
        return false;
      }
      closed = true;
    } finally {
      lock.unlock();
    }
    waiters.wakeAll();
    return true;
  }

  /** Whether sending has ended. */
  public boolean isClosed() {
    return closed;
  }

  /** Another receiver, at a position of its own. */
  BroadcastReceiver<T> subscribeAt(long position) {
    lock.lock();
    try {
      receivers++;
    } finally {
      lock.unlock();
    }
    return new BroadcastReceiver<>(this, position);
  }

  void unsubscribe() {
    lock.lock();
    try {
      receivers--;
    } finally {
      lock.unlock();
    }
  }

  long tail() {
    return tail;
  }

  int capacity() {
    return capacity;
  }

  @Nullable Object slot(long position) {
    return SLOT.getAcquire(slots, (int) position & mask);
  }

  @Override
  public String toString() {
    int now;
    lock.lock();
    try {
      now = receivers;
    } finally {
      lock.unlock();
    }
    return "Broadcast[capacity "
        + capacity
        + ", "
        + now
        + " receivers, "
        + (closed ? "closed]" : "open]");
  }
}
