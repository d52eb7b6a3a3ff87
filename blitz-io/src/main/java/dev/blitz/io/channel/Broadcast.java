package dev.blitz.io.channel;

import dev.blitz.io.internal.task.StackRoom;
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
 * for some instructions, receiving none. A message is let go as soon as all receivers have it, or
 * it is out of reach; what nobody has subscribed to is not kept at all.
 *
 * @param <T> the type of the messages, which are never null
 */
/* Implementation notes
 *
 * tail is the position of the next message; position p is in slot p & mask. There are more slots than the
 * capacity: the slot of p is overwritten only when tail >= p + slots > p + capacity. So a receiver reads the slot
 * first and tail after: if tail <= p + capacity then, what it read was the message of p.
 *
 * A message is let go by whoever is the last to receive it. left has, per slot, the low bits of the position and
 * the number of receivers that have not got the message yet; it is counted down by CAS, so that nobody counts for a
 * message that has been overwritten meanwhile. The last one marks the slot, empties it and takes the mark away; a sender
 * that needs the slot waits for that. An Error on the way leaves the message in until it is overwritten.
 *
 * Orderings
 *   field   | writer            | reader     | mode            | pairs with
 *   slots   | send, lock        | receivers  | release/acquire | release: not seen before the tail of the send before;
 *           |                   |            |                 | acquire: tail is read after
 *   slots (null) | last receiver; send, of what is out of reach | receivers | plain | seen early: they look again
 *   left    | send, lock        | receivers  | plain           | published by tail
 *   left    | receivers         | all        | CAS; release when the slot is empty / acquire in send
 *   tail    | send, lock        | receivers  | volatile        | publishes the slot; then send looks at waiting, as a
 *           |                   |            |                 | waiter looks at tail after it has set waiting
 *   closed  | close, lock       | receivers  | volatile        | read before tail: then tail is final
 *   receivers | under the lock  | anyone     | volatile        | read alone: a number that was right
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock
public final class Broadcast<T> extends BriefLock implements AutoCloseable {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
  private static final VarHandle LEFT = MethodHandles.arrayElementVarHandle(long[].class);

  /** The bits of {@code left} that count; those above are of the position. */
  private static final long COUNT = 0xFFFF;

  /** A count that means: the slot is being emptied. */
  private static final long EMPTYING = COUNT;

  /** A count that means: too many to be counted; the message stays until it is overwritten. */
  private static final long MANY = COUNT - 1;

  private static final int POSITION_SHIFT = 16;

  final WaitQueue waiters = new WaitQueue(false);
  private final int capacity;
  private final int mask;
  private final @Nullable Object[] slots;
  private final long[] left;
  private volatile long tail;
  private volatile boolean closed;
  private volatile int receivers;

  /** Written between two stores that must be seen in that order, where nothing may be called. */
  @SuppressWarnings("unused") // nobody reads it
  private volatile boolean emptied;

  /** {@code start}: the first position, for tests of the overflow. */
  Broadcast(int capacity, long start) {
    this.capacity = capacity;
    slots = new Object[Integer.highestOneBit(capacity) << 1];
    left = new long[slots.length];
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
    var receiver = new BroadcastReceiver<>(this);
    lock();
    try {
      receiver.position = tail;
      receivers = receivers + 1;
    } finally {
      locked = false;
    }
    return receiver;
  }

  /**
   * Sends a message to all who have subscribed.
   *
   * @return how many that are; if there are none nobody will ever see the message
   * @throws ChannelClosedException if it was closed
   */
  public int send(T value) {
    Objects.requireNonNull(value, "value");
    if (waiters.waiting) {
      StackRoom.forCalls(); // for the wakes, while nothing has been sent yet
    }
    int reached = 0;
    boolean sent = false;
    lock();
    try {
      if (!closed) {
        reached = receivers;
        if (reached > 0) {
          put(tail, reached, value);
          tail = tail + 1;
          slots[(int) (tail - capacity - 1) & mask] = null; // out of reach from now on
        }
        sent = true;
      }
    } finally {
      locked = false;
    }
    if (!sent) {
      throw ChannelClosedException.sending(toString(), value);
    }
    if (waiters.waiting) {
      try {
        waiters.wakeAll();
      } catch (VirtualMachineError e) { // it was sent: see Owed
        synchronized (LOCK) {
          if (!owing) {
            owing = true;
            nextOwed = Owed.first;
            Owed.first = this;
          }
        }
      }
    }
    return reached;
  }

  /** Fills the slot of a position that nobody looks at yet. */
  private void put(long p, int readers, T value) {
    int i = (int) p & mask;
    for (int spins = 0; ((long) LEFT.getAcquire(left, i) & COUNT) == EMPTYING; spins++) {
      Spin.once(spins);
    }
    SLOT.setRelease(slots, i, value);
    left[i] = p << POSITION_SHIFT | Math.min(readers, MANY);
  }

  @Override
  void settle() {
    waiters.wakeAll();
  }

  /** Ends the sending and wakes all who wait; they still get what was sent before. */
  @Override
  public void close() {
    StackRoom.forCalls();
    lock();
    try {
      closed = true;
    } finally {
      locked = false;
    }
    waiters.wakeAll(); // if there is no stack for it, it may be repeated
  }

  /** Whether sending has ended. */
  public boolean isClosed() {
    return closed;
  }

  /** How many receivers have subscribed and are not closed. */
  public int receivers() {
    return receivers;
  }

  /** Another receiver of the same messages as {@code original}. */
  BroadcastReceiver<T> copy(BroadcastReceiver<T> original) {
    var copy = new BroadcastReceiver<>(this);
    lock();
    try {
      long t = tail;
      for (long p = oldest(original.position, t); p != t; p++) {
        count(p, 1);
      }
      copy.position = original.position;
      receivers = receivers + 1;
    } finally {
      locked = false;
    }
    return copy;
  }

  /** A receiver that has got everything before {@code position} will get no more. */
  void unsubscribe(long position) {
    long t;
    lock();
    try {
      t = tail;
      receivers = receivers - 1;
    } finally {
      locked = false;
    }
    try {
      for (long p = oldest(position, t); p != t; p++) {
        count(p, -1);
      }
    } catch (VirtualMachineError e) {
      return; // what is left over stays until it is overwritten
    }
  }

  /** The first position from {@code p} that is still in reach. */
  private long oldest(long p, long t) {
    return t - p > capacity ? t - capacity : p;
  }

  /** One more, or one less, is to receive the message at {@code p}; the last lets go of it. */
  void count(long p, int change) {
    int i = (int) p & mask;
    for (; ; ) {
      long now = (long) LEFT.getVolatile(left, i);
      long n = now & COUNT;
      if (now - n != p << POSITION_SHIFT || n == 0 || n >= MANY) {
        return; // overwritten, or not counted
      }
      if (n + change == 0) {
        if (LEFT.compareAndSet(left, i, now, now | EMPTYING)) {
          slots[i] = null;
          try {
            LEFT.setRelease(left, i, now - n);
          } catch (VirtualMachineError e) {
            emptied = true;
            left[i] = now - n;
          }
          return;
        }
      } else if (LEFT.compareAndSet(left, i, now, now + change)) {
        return;
      }
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
    return "Broadcast[capacity "
        + capacity
        + ", "
        + receivers
        + " receivers, "
        + (closed ? "closed]" : "open]");
  }
}
