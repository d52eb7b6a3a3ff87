package dev.blitz.io.net;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.LostHandles;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.DatagramEndpoint;
import dev.blitz.io.internal.driver.DatagramEndpoint.Sender;
import dev.blitz.io.internal.driver.Datagrams;
import dev.blitz.io.internal.services.Services;
import dev.blitz.io.internal.wait.Watched;
import dev.blitz.io.sync.Semaphore;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A socket of datagrams, by UDP or on this machine. A datagram goes and comes as a whole: one send
 * is one receive, if it arrives.
 *
 * <p>Any number of tasks may send and receive, and anybody may close. Sends queue up in the order
 * of their first polls, and so do receives; so one that has begun must be awaited or dropped, not
 * left lying. A pending operation may be dropped at any time: a dropped receive leaves the datagram
 * to the next one, a dropped send has sent nothing. A buffer may be direct or on the heap; direct
 * ones save a copy.
 *
 * @param <A> its kind of addresses
 */
public abstract sealed class DatagramIo<A extends SocketAddress> implements AutoCloseable
    permits UdpSocket, UnixDatagram {
  /** What {@link #tryReceive} answers if there is nothing. */
  public static final int PENDING = DatagramEndpoint.PENDING;

  final DatagramEndpoint endpoint;
  final Services services;
  final Semaphore receiving = Semaphore.create(1);
  final Semaphore sending = Semaphore.create(1);
  private final String kind;

  /** What the last receive met after it had got some datagrams; whoever has the turn to receive. */
  private @Nullable IOException untold;

  private final Cleaner.Cleanable unclosed;

  DatagramIo(Services services, DatagramEndpoint endpoint, String kind) {
    this.services = services;
    this.endpoint = endpoint;
    this.kind = kind;
    unclosed = LostHandles.watch(this, endpoint, kind);
  }

  /** As users see it. */
  abstract A shown(SocketAddress address);

  /** As endpoints see it. */
  abstract SocketAddress meant(A address);

  // --- Sending ---

  /**
   * Sends what remains in {@code source}, which may be nothing, as one datagram to the peer that
   * this is {@linkplain #connect connected} to. Done when the system has it.
   *
   * <p>Fails with {@link java.net.SocketException} if it is too long for the network or the system;
   * with {@link java.net.PortUnreachableException} if the peer has refused an earlier one.
   */
  @CheckReturnValue
  public final IoFuture<Done> send(ByteBuffer source) {
    return Watched.io(new SendFuture.One(this, source, null));
  }

  /** As {@link #send}, to {@code target}. */
  @CheckReturnValue
  public final IoFuture<Done> sendTo(ByteBuffer source, A target) {
    return Watched.io(new SendFuture.One(this, source, meant(target)));
  }

  /** As {@link #send}, if the system has room now; never waits, on any thread. */
  public final boolean trySend(ByteBuffer source) throws IOException {
    return trySend(source, null);
  }

  /** As {@link #sendTo}, if the system has room now; never waits, on any thread. */
  public final boolean trySendTo(ByteBuffer source, A target) throws IOException {
    return trySend(source, meant(target));
  }

  private boolean trySend(ByteBuffer source, @Nullable SocketAddress to) throws IOException {
    StackRoom.forCalls(); // to pass the turn on
    if (!sending.tryAcquire()) {
      return false;
    }
    try {
      int n = endpoint.pollSend(source, to, null);
      if (n >= 0) {
        source.position(source.position() + n);
      }
      return n >= 0;
    } finally {
      sending.release();
      Reference.reachabilityFence(this);
    }
  }

  /**
   * Sends the datagrams of {@code batch}, each to its address, or to the peer that this is
   * {@linkplain #connect connected} to: with one call of the system, where it has that. Done when
   * the system has all of them. What was received can be sent back as it is; of a datagram that was
   * truncated only what is there.
   *
   * <p>A datagram that was sent leaves the batch. So after a failure the first one of it is to
   * blame, and none behind it was sent; after a drop it has those that were not sent.
   */
  @CheckReturnValue
  public final IoFuture<Done> sendMany(DatagramBatch<A> batch) {
    return Watched.io(new SendFuture.Many(this, batch.datagrams));
  }

  /**
   * As {@link #sendMany}, those that the system has room for now; never waits, on any thread.
   *
   * @return how many were sent
   */
  public final int trySendMany(DatagramBatch<A> batch) throws IOException {
    StackRoom.forCalls(); // to pass the turn on
    if (!sending.tryAcquire()) {
      return 0;
    }
    try {
      return Math.max(0, endpoint.pollSendMany(batch.datagrams, null));
    } finally {
      sending.release();
      Reference.reachabilityFence(this);
    }
  }

  // --- Receiving ---

  /**
   * Takes the next datagram. What does not fit into {@code target} is lost; that shows in the
   * answer, which is the length that the datagram had.
   */
  @CheckReturnValue
  public final IoFuture<Integer> receive(ByteBuffer target) {
    return Watched.io(new ReceiveFuture.Length(this, target, false));
  }

  /** As {@link #receive}; also tells who has sent it. */
  @CheckReturnValue
  public final IoFuture<Datagram<A>> receiveFrom(ByteBuffer target) {
    return Watched.io(new ReceiveFuture.Whole<>(this, target, false));
  }

  /** As {@link #receive}, but the datagram stays to be received. */
  @CheckReturnValue
  public final IoFuture<Integer> peek(ByteBuffer target) {
    return Watched.io(new ReceiveFuture.Length(this, target, true));
  }

  /** As {@link #receiveFrom}, but the datagram stays to be received. */
  @CheckReturnValue
  public final IoFuture<Datagram<A>> peekFrom(ByteBuffer target) {
    return Watched.io(new ReceiveFuture.Whole<>(this, target, true));
  }

  /**
   * Takes all datagrams that are there, as many as {@code batch} has room for: with one call of the
   * system, where it has that. Waits for one, and not for more. They take the place of what was in
   * the batch; {@link DatagramBatch#datagram} tells their senders, and which did not fit.
   *
   * @return how many, at least one
   */
  @CheckReturnValue
  public final IoFuture<Integer> receiveMany(DatagramBatch<A> batch) {
    return Watched.io(new ReceiveFuture.Many(this, batch.datagrams));
  }

  /** As {@link #receiveMany}, or 0 if there is none, or others wait; on any thread. */
  public final int tryReceiveMany(DatagramBatch<A> batch) throws IOException {
    StackRoom.forCalls(); // to pass the turn on
    if (!receiving.tryAcquire()) {
      return 0;
    }
    try {
      return Math.max(0, pollReceiveMany(batch.datagrams, null));
    } finally {
      receiving.release();
      Reference.reachabilityFence(this);
    }
  }

  /** As {@link #receive}, or {@link #PENDING} if there is none, or others wait; on any thread. */
  public final int tryReceive(ByteBuffer target) throws IOException {
    return tryReceive(target, null);
  }

  /** As {@link #receiveFrom}, or null if there is none, or others wait; on any thread. */
  public final @Nullable Datagram<A> tryReceiveFrom(ByteBuffer target) throws IOException {
    int room = target.remaining();
    var from = new Sender();
    int n = tryReceive(target, from);
    return n == PENDING ? null : datagram(from, n, room);
  }

  private int tryReceive(ByteBuffer target, @Nullable Sender from) throws IOException {
    requireWritable(target);
    StackRoom.forCalls(); // to pass the turn on
    if (!receiving.tryAcquire()) {
      return PENDING;
    }
    try {
      return pollReceive(target, false, from, null);
    } finally {
      receiving.release();
      Reference.reachabilityFence(this);
    }
  }

  /** With the turn: the length of the next datagram, or {@link #PENDING}. */
  final int pollReceive(
      ByteBuffer target, boolean peek, @Nullable Sender from, @Nullable Waker waker)
      throws IOException {
    tellOfFailure();
    int n = endpoint.pollReceive(target, peek, from, waker);
    filled(target, n);
    return n;
  }

  /** With the turn: how many, or {@link #PENDING}. */
  final int pollReceiveMany(Datagrams batch, @Nullable Waker waker) throws IOException {
    tellOfFailure();
    int n = endpoint.pollReceiveMany(batch, waker);
    untold = batch.takeFailure();
    return n;
  }

  private void tellOfFailure() throws IOException {
    IOException failure = untold;
    if (failure != null) {
      untold = null;
      throw failure;
    }
  }

  static void requireWritable(ByteBuffer target) {
    if (target.isReadOnly()) {
      throw new IllegalArgumentException("a read-only buffer cannot be read into: " + target);
    }
  }

  /** Moves the position over what {@code n} bytes have filled of it. */
  private static void filled(ByteBuffer target, int n) {
    if (n > 0) {
      target.position(target.position() + Math.min(n, target.remaining()));
    }
  }

  final Datagram<A> datagram(Sender from, int length, int room) {
    return new Datagram<>(shown(Objects.requireNonNull(from.address)), length, length > room);
  }

  // --- Addresses and options ---

  /**
   * Sends to {@code remote} by {@link #send}, and receives from it alone, from now on. Does not
   * wait, and tells nobody.
   */
  public final void connect(A remote) throws IOException {
    endpoint.connect(meant(remote));
  }

  /** Ends what {@link #connect} has begun. */
  public final void disconnect() throws IOException {
    endpoint.connect(null);
  }

  /** The own address. */
  public final A localAddress() throws IOException {
    return shown(endpoint.localAddress());
  }

  /** The address that it is connected to. */
  public final A remoteAddress() throws IOException {
    return shown(endpoint.remoteAddress());
  }

  /** Sets an option; see {@link SocketStream#option(SocketOption, Object)}. */
  public abstract <T> DatagramIo<A> option(SocketOption<T> option, T value) throws IOException;

  /** The value of an option. */
  public final <T> T option(SocketOption<T> option) throws IOException {
    return endpoint.option(option);
  }

  // --- Ending ---

  /** Whether {@link #close} has not been called. */
  public final boolean isOpen() {
    return endpoint.isOpen();
  }

  /**
   * Closes it. Pending operations end with {@link java.nio.channels.ClosedChannelException}; what
   * was sent goes on its way.
   */
  @Override
  public final void close() {
    endpoint.close();
    unclosed.clean();
  }

  @Override
  public final String toString() {
    if (!endpoint.isOpen()) {
      return kind + "[closed]";
    }
    try {
      return kind + "[" + endpoint.localAddress() + "]";
    } catch (IOException e) {
      return kind;
    }
  }
}
