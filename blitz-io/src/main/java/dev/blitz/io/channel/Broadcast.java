package dev.blitz.io.channel;

import dev.blitz.io.internal.base.StackRoom;
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
 * for some instructions; receiving does when there is nothing, and every 16 messages. At that the
 * messages are let go that all receivers have: a receiver that asks for the next one has done with
 * those before. What is out of reach is let go at once, and what nobody has subscribed to is not
 * kept at all.
 *
 * @param <T> the type of the messages, which are never null
 */
/* Implementation notes
 *
 * tail is the position of the next message; position p is in slot p & mask. There are more slots than the
 * capacity: the slot of p is overwritten only when tail >= p + slots > p + capacity. So a receiver reads the slot
 * first and tail after: if tail <= p + capacity then, what it read was the message of p.
 *
 * A receiver tells its position now and then, and `told` counts, per position, the receivers that told it last. No
 * receiver is before what it told. So what is before the first position with a count has been received by all, and
 * whoever takes the last count away from there lets go of the messages up to the next. Those who told a position that
 * is out of reach by now are counted together, in `behind`: they will go on with the oldest message, so while there are
 * such nothing is let go. From tail - capacity to tail there are fewer positions than slots. An Error on the way to
 * telling leaves the messages in until the next time.
 *
 * Orderings
 *   field   | writer            | reader     | mode            | pairs with
 *   slots   | send, lock        | receivers  | release/acquire | release: not seen before the tail of the send before;
 *           |                   |            |                 | acquire: tail is read after
 *   slots (null) | under the lock | receivers who are out of reach | plain | seen early: they look again
 *   told, behind, kept | under the lock | the same   | plain           | the lock
 *   tail    | send, lock        | receivers  | volatile        | publishes the slot; then send looks at waiting, as a
 *           |                   |            |                 | waiter looks at tail after it has set waiting
 *   closed  | close, lock       | receivers  | volatile        | read before tail: then tail is final
 *   receivers | under the lock  | anyone     | volatile        | read alone: a number that was right
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock
public final class Broadcast<T> extends BriefLock implements AutoCloseable {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  /** Messages that a receiver gets without telling: few that stay, and a lock that costs little. */
  static final int TELL_EVERY = 16;

  final WaitQueue waiters = new WaitQueue(false);
  private final int capacity;
  private final int mask;
  private final @Nullable Object[] slots;

  /** Per position: how many receivers have told it. Guarded by the lock. */
  private final int[] told;

  /** How many receivers have told a position that is out of reach. Guarded by the lock. */
  private int behind;

  /** All before this has been let go. Guarded by the lock. */
  private long kept;

  private volatile long tail;
  private volatile boolean closed;
  private volatile int receivers;

  /** {@code start}: the first position, for tests of the overflow. */
  Broadcast(int capacity, long start) {
    this.capacity = capacity;
    slots = new Object[Integer.highestOneBit(capacity) << 1];
    told = new int[slots.length];
    mask = slots.length - 1;
    tail = start;
    kept = start;
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
      long t = tail;
      receiver.position = t;
      receiver.told = t;
      told[(int) t & mask]++;
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
          long t = tail;
          SLOT.setRelease(
              slots, (int) t & mask, value); // the only call: nothing has changed before
          tail = t + 1;
          int lost = (int) (t - capacity) & mask; // out of reach from now on
          slots[lost] = null;
          behind += told[lost];
          told[lost] = 0;
          if (kept == t - capacity) {
            kept = kept + 1;
          }
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

  @Override
  void pay() {
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
      long from = original.told;
      copy.position = original.position;
      copy.told = from;
      if (tail - from <= capacity) {
        told[(int) from & mask]++;
      } else {
        behind++;
      }
      receivers = receivers + 1;
    } finally {
      locked = false;
    }
    return copy;
  }

  /**
   * A receiver has got everything before its position, or {@code leaves} and will get no more. Lets
   * go of what all have.
   */
  void tell(BroadcastReceiver<T> receiver, boolean leaves) {
    lock();
    try {
      long t = tail;
      long from = receiver.told;
      long to = receiver.position;
      if (leaves) {
        receivers = receivers - 1;
      } else {
        receiver.told = to;
        if (t - to <= capacity) {
          told[(int) to & mask]++;
        } else {
          behind++;
        }
      }
      if (t - from <= capacity) {
        told[(int) from & mask]--;
      } else {
        behind--;
      }
      long p = kept;
      while (behind == 0 && p != t && told[(int) p & mask] == 0) {
        slots[(int) p & mask] = null;
        p++;
      }
      kept = p;
    } finally {
      locked = false;
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
