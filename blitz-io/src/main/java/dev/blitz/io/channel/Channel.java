package dev.blitz.io.channel;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.Uncaught;
import dev.blitz.io.internal.wait.Watched;
import dev.blitz.io.stream.IoSource;
import dev.blitz.io.stream.Source;
import dev.blitz.io.stream.UncheckedSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A queue of messages between any number of senders and receivers. Each message is received once;
 * the messages of one sender arrive in the order in which they were sent.
 *
 * {@snippet :
 * Channel<Path> jobs = Channel.bounded(64);
 * Channel<Count> results = Channel.bounded(64);
 * Future<Done> worker = Futures.loop(() -> jobs.next().andThen(job ->
 *     job.isEmpty()
 *         ? Futures.stop()
 *         : results.send(count(job.get())).map(done -> Futures.Step.MORE)));
 * }
 *
 * <p>A bounded channel makes its senders wait while it is full: back-pressure. An unbounded one
 * takes everything, so its senders must be slower than its receivers in the long run.
 *
 * <p>{@link #close} ends the sending. What was accepted before stays receivable; after that {@link
 * #next} is empty, loops end and {@link #receive} throws. A send that races a close is either
 * received or refused. A channel that nobody refers to needs no close.
 *
 * <p>Dropping a future loses nothing. A send that was dropped has not sent: its value is in the
 * channel exactly if it yielded {@link Done}. A receive that was dropped has taken nothing, and if
 * it had been woken for a message the next receiver is.
 *
 * <p>Those who wait are served in the order in which they came. A newcomer that finds a message
 * does not wait for those who were woken but have not run yet; one that is passed over again and
 * again is let before all newcomers.
 *
 * <p>Thread safe. {@link #trySend} and {@link #tryReceive} are one compare-and-set each, allocate
 * nothing and take no lock, unless somebody waits on the other side. A future that need not wait
 * costs its one object.
 *
 * @param <T> the type of the messages, which are never null
 */
public final class Channel<T> extends Owed implements AutoCloseable {
  /** The largest capacity of a bounded channel. */
  public static final int MAX_CAPACITY = Buffer.MAX_PERMITS;

  /** Up to here a channel has all its memory from the start; a larger one takes it as it fills. */
  static final int MAX_RING = 4_096;

  final Buffer<T> buffer;
  final WaitQueue senders = new WaitQueue(true);
  final WaitQueue receivers = new WaitQueue(true);

  /** Those who wait for the channel to be closed and empty, and for no message. */
  final WaitQueue ends = new WaitQueue(false);

  private final HandleCount senderHandles = new HandleCount();
  private final HandleCount receiverHandles = new HandleCount();

  /** How messages are dropped for newer ones; null if none are. */
  private final @Nullable DropOldest<? super T> dropped;

  /**
   * Gets what is dropped. A lock: held while a message is replaced, and by close. A {@link
   * PinnedLock}, because a buffer may have to wait for another thread.
   */
  private static final class DropOldest<T> extends PinnedLock {
    private static final long serialVersionUID = 1L;

    final transient Consumer<T> told;

    DropOldest(Consumer<T> told) {
      this.told = told;
    }
  }

  Channel(Buffer<T> buffer) {
    this(buffer, null);
  }

  private Channel(Buffer<T> buffer, @Nullable DropOldest<? super T> dropped) {
    this.buffer = buffer;
    this.dropped = dropped;
  }

  /**
   * A channel that holds up to {@code capacity} messages. Up to 4096 it has the memory for them
   * from the start and allocates nothing after; a larger one takes memory in small pieces as it
   * fills, and leaves it to the garbage collector as it empties.
   *
   * @throws IllegalArgumentException unless the capacity is from 1 to {@link #MAX_CAPACITY}
   */
  public static <T> Channel<T> bounded(int capacity) {
    return new Channel<>(bufferOf(capacity));
  }

  /**
   * A channel that holds the last {@code capacity} messages: a send that finds it full drops the
   * oldest, and so never waits. With a capacity of 1 only the latest message is there to receive.
   *
   * {@snippet :
   * Channel<Frame> frames = Channel.dropOldest(2, Frame::close); // a slow viewer skips frames
   * }
   *
   * @param dropped gets what was dropped, on the thread of the send; what it throws reaches the
   *     uncaught handler
   * @throws IllegalArgumentException unless the capacity is from 1 to {@link #MAX_CAPACITY}
   */
  public static <T> Channel<T> dropOldest(int capacity, Consumer<? super T> dropped) {
    return new Channel<>(
        bufferOf(capacity), new DropOldest<>(Objects.requireNonNull(dropped, "dropped")));
  }

  private static <T> Buffer<T> bufferOf(int capacity) {
    if (capacity < 1 || capacity > MAX_CAPACITY) {
      throw new IllegalArgumentException(
          "the capacity of a channel is from 1 to " + MAX_CAPACITY + ", not " + capacity);
    }
    return capacity <= MAX_RING
        ? new BoundedRing<>(capacity)
        : new SegmentedBuffer<>(SegmentedBuffer.DEFAULT_SEGMENT_SIZE, 0, capacity);
  }

  /** A channel that holds any number of messages; sending never waits. */
  public static <T> Channel<T> unbounded() {
    return new Channel<>(new SegmentedBuffer<>());
  }

  // --- Sending ---

  /** Sends if there is room. */
  public SendResult trySend(T value) {
    Objects.requireNonNull(value, "value");
    return offer(value);
  }

  SendResult offer(T value) {
    if (receivers.waiting) {
      StackRoom.forCalls(); // for the wake, while nothing has been sent yet
    }
    SendResult result = buffer.trySend(value);
    if (result == SendResult.FULL && dropped != null) {
      return replaceOldest(value, dropped);
    }
    if (result == SendResult.SENT && receivers.waiting) {
      try {
        receivers.wakeOne();
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
    return result;
  }

  /** Whether a send to a full channel drops the oldest message. */
  boolean drops() {
    return dropped != null;
  }

  /**
   * Makes room; FULL only if it is all promised to holders of permits. Under a lock that close
   * takes too: a message goes only if another comes.
   */
  private SendResult replaceOldest(T value, DropOldest<? super T> drop) {
    for (; ; ) {
      StackRoom.forMany(); // for the wakes and for whoever is told, while nothing has been done
      T oldest = null;
      SendResult result = SendResult.CLOSED;
      drop.lock();
      try {
        if (!buffer.isClosed()) {
          oldest = buffer.tryReceive(); // nobody is told of this room
          result = buffer.trySend(value);
        }
      } finally {
        drop.unlock();
        if (oldest != null && result == SendResult.CLOSED) { // no memory for the new one
          tellOfReceipt();
          tellOfDrop(oldest, drop.told);
        }
      }
      if (result == SendResult.SENT && receivers.waiting) {
        receivers.wakeOne(); // before others' code, which may take its time
      }
      if (oldest != null) {
        tellOfDrop(oldest, drop.told);
      }
      if (result != SendResult.FULL || (oldest == null && hasNothingToDrop())) {
        return result; // else another has taken the room
      }
    }
  }

  private void tellOfDrop(T oldest, Consumer<? super T> dropped) {
    try {
      try {
        dropped.accept(oldest);
      } catch (Throwable t) {
        Uncaught.report("what was dropped from " + this, t);
      }
    } catch (VirtualMachineError e) {
      return; // no room to tell of it either, and the message has been sent
    }
  }

  /** Whether a send that finds no room has to wait: there is nothing it could drop. */
  boolean hasNothingToDrop() {
    return dropped == null || buffer.length() == 0;
  }

  /**
   * Sends, as soon as there is room. Throws {@link ChannelClosedException}, which has the value, if
   * the channel is closed before. A dropped send has not sent.
   */
  @CheckReturnValue
  public UncheckedFuture<Done> send(T value) {
    return Watched.unchecked(new SendFuture<>(this, Objects.requireNonNull(value, "value")));
  }

  /**
   * Sends all items of {@code source}, each as soon as there is room; done when the source has
   * ended. The channel stays open. The future owns the source: it is closed with it, also when the
   * channel is closed before, which is a {@link ChannelClosedException} with the item, and when the
   * future is dropped.
   */
  @CheckReturnValue
  public Future<Done> sendAll(Source<? extends T> source) {
    return new SendAllFuture<>(this, source);
  }

  /** As {@link #sendAll(Source)}. */
  @CheckReturnValue
  public IoFuture<Done> sendAll(IoSource<? extends T> source) {
    return Futures.io(new SendAllFuture<>(this, source));
  }

  /** As {@link #sendAll(Source)}. */
  @CheckReturnValue
  public UncheckedFuture<Done> sendAll(UncheckedSource<? extends T> source) {
    return Futures.unchecked(new SendAllFuture<>(this, source));
  }

  /** Room for one message, if there is any now; null if not, or if the channel is closed. */
  public @Nullable Permit<T> tryReserve() {
    var permit =
        new Permit<T>(this); // before: a permit that was counted and not made would be out for ever
    DropOldest<? super T> drop = dropped;
    if (drop == null) {
      return buffer.tryReserve() == SendResult.SENT ? permit : null;
    }
    drop.lock(); // room that a drop has just made is for the message it was made for
    try {
      return buffer.tryReserve() == SendResult.SENT ? permit : null;
    } finally {
      drop.unlock();
    }
  }

  /**
   * Waits for room and keeps it for a message that is made later. Throws {@link
   * ChannelClosedException} if the channel is closed before.
   */
  @CheckReturnValue
  public UncheckedFuture<Permit<T>> reserve() {
    return Watched.unchecked(new ReserveFuture<>(this));
  }

  void sendReserved(T value) {
    StackRoom.forCalls();
    buffer.sendReserved(value);
    try {
      if (receivers.waiting) {
        receivers.wakeOne();
      }
      if (senders.waiting && buffer.capacity() == Integer.MAX_VALUE) {
        senders.wakeOne(); // they can only be waiting for a permit to come back
      } else if (senders.waiting && dropped != null) {
        senders.wakeAll(); // there is something to drop; not all of them may want to
      }
      endIfClosed();
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

  void release() {
    StackRoom.forCalls();
    buffer.release();
    try {
      if (senders.waiting) {
        senders.wakeOne();
      }
      endIfClosed();
    } catch (VirtualMachineError e) { // it was given back: see Owed
      synchronized (LOCK) {
        if (!owing) {
          owing = true;
          nextOwed = Owed.first;
          Owed.first = this;
        }
      }
    }
  }

  /** If nothing more will come, those who waited for it have nothing to wait for. */
  private void endIfClosed() {
    if (buffer.isEnded()) {
      receivers.wakeAll();
      endIfDrained();
    }
  }

  private void endIfDrained() {
    if (buffer.isDrained()) {
      ends.wakeAll();
    }
  }

  // --- Receiving ---

  /**
   * The oldest message, or null if there is none now; {@link #isDrained} says whether there may be
   * one later.
   */
  public @Nullable T tryReceive() {
    if (senders.waiting || ends.waiting) {
      StackRoom.forCalls(); // for the wake, while nothing has been received yet
    }
    T message = buffer.tryReceive();
    if (message != null && (senders.waiting || ends.waiting)) {
      try {
        tellOfReceipt();
      } catch (VirtualMachineError e) { // it was received: see Owed
        synchronized (LOCK) {
          if (!owing) {
            owing = true;
            nextOwed = Owed.first;
            Owed.first = this;
          }
        }
      }
    }
    return message;
  }

  /** As {@link #tryReceive}; what the message is wrapped in is made before it is taken. */
  @SuppressWarnings("NullableOptional") // null: look again later; empty: there will be none
  @Nullable Optional<T> tryNext() {
    if (senders.waiting || ends.waiting) {
      StackRoom.forCalls(); // for the wake, while nothing has been received yet
    }
    Optional<T> message = buffer.tryNext();
    if (message != null && (senders.waiting || ends.waiting)) {
      try {
        tellOfReceipt();
      } catch (VirtualMachineError e) { // it was received: see Owed
        synchronized (LOCK) {
          if (!owing) {
            owing = true;
            nextOwed = Owed.first;
            Owed.first = this;
          }
        }
      }
    }
    return message;
  }

  private void tellOfReceipt() {
    if (senders.waiting) {
      senders.wakeOne();
    }
    if (ends.waiting) {
      endIfDrained();
    }
  }

  /**
   * Takes messages that are there now, up to {@code max}.
   *
   * @return an unmodifiable list of them, oldest first
   */
  public List<T> tryReceiveMany(int max) {
    // No collection of the caller's: one that threw would leave a message in nobody's hands.
    List<T> none = List.of();
    List<T> taken = takeMany(max);
    return taken == null ? none : taken;
  }

  /** As {@link #tryReceiveMany}; null if there is none, as a list would have to be asked. */
  @Nullable List<T> takeMany(int max) {
    int count = Math.min(max, buffer.length());
    if (count <= 0) {
      return null;
    }
    var batch = new Batch<T>(count);
    try {
      while (batch.size < count) {
        T message = tryReceive();
        if (message == null) {
          break;
        }
        batch.messages[batch.size] = message;
        batch.size++;
      }
    } catch (VirtualMachineError e) {
      if (batch.size == 0) {
        throw e;
      }
    }
    return batch.size == 0 ? null : batch;
  }

  /**
   * The next message. Throws {@link ChannelClosedException} when the channel is closed and empty;
   * where that is the normal end, use {@link #next}. A dropped receive has taken nothing.
   */
  @CheckReturnValue
  public UncheckedFuture<T> receive() {
    return new ReceiveFuture.One<>(this);
  }

  /** The next message; empty when the channel is closed and empty. */
  @CheckReturnValue
  public UncheckedFuture<Optional<T>> next() {
    return new ReceiveFuture.Next<>(this);
  }

  /**
   * Waits for a message, then takes what else is there, up to {@code max} in all. The list is empty
   * only when the channel is closed and empty.
   */
  @CheckReturnValue
  public UncheckedFuture<List<T>> receiveMany(int max) {
    if (max < 1) {
      throw new IllegalArgumentException("receive at least 1 message, not " + max);
    }
    return new ReceiveFuture.Many<>(this, max);
  }

  /**
   * The messages as a reactive stream. Its subscribers compete for them: each message goes to one.
   * A subscriber gets {@code onComplete} when the channel is closed and empty; a cancelled one
   * leaves what it has not got. Signals are delivered on {@code executor}, for one subscriber one
   * after the other.
   *
   * {@snippet :
   * Flow.Publisher<Event> events = channel.publisher(runtime.executor());
   * }
   */
  public Flow.Publisher<T> publisher(Executor executor) {
    return new ChannelPublisher<>(this, Objects.requireNonNull(executor, "executor"));
  }

  // --- The end ---

  /**
   * Ends the sending and wakes all who wait; harmless if repeated. What was accepted before stays
   * receivable: to do away with it, take it out by {@link #tryReceiveMany} after.
   */
  @Override
  public void close() {
    StackRoom.forCalls();
    if (dropped == null) {
      buffer.close();
    } else {
      dropped.lock();
      try {
        buffer.close();
      } finally {
        dropped.unlock();
      }
    }
    try {
      senders.wakeAll();
      endIfClosed();
    } catch (VirtualMachineError e) { // it was closed: see Owed
      synchronized (LOCK) {
        if (!owing) {
          owing = true;
          nextOwed = Owed.first;
          Owed.first = this;
        }
      }
    }
  }

  @Override
  void pay() {
    senders.wakeAll();
    receivers.wakeAll();
    ends.wakeAll();
  }

  /** Whether sending has ended. There may still be messages to receive. */
  public boolean isClosed() {
    return buffer.isClosed();
  }

  /** Whether the channel is closed and everything has been received. */
  public boolean isDrained() {
    return buffer.isDrained();
  }

  /** How many messages are in the channel, at some instant. */
  public int length() {
    return buffer.length();
  }

  /** The most it holds; {@link Integer#MAX_VALUE} if unbounded. */
  public int capacity() {
    return buffer.capacity();
  }

  // --- Handles ---

  /**
   * A handle for a sender. When the last handle for senders is closed, the channel is: the
   * receivers' loops then end without a call to {@link #close}.
   */
  public Sender<T> sender() {
    var sender = new Sender<T>(this, senderHandles);
    senderHandles.opened();
    return sender;
  }

  /**
   * A handle for a receiver, which can be looped over. When the last handle for receivers is
   * closed, the channel is: senders are then told that nobody listens.
   *
   * {@snippet :
   * for (var job : jobs.receiver()) { // until the channel is closed and empty
   *   run(job);
   * }
   * }
   */
  public Receiver<T> receiver() {
    var receiver = new Receiver<T>(this, receiverHandles);
    receiverHandles.opened();
    return receiver;
  }

  @Override
  public String toString() {
    int capacity = capacity();
    String size = capacity == Integer.MAX_VALUE ? "unbounded" : "capacity " + capacity;
    return "Channel[" + size + ", " + length() + " inside, " + (isClosed() ? "closed]" : "open]");
  }
}
