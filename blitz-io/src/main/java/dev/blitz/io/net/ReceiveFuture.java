package dev.blitz.io.net;

import dev.blitz.io.future.Context;
import dev.blitz.io.internal.driver.DatagramEndpoint.Sender;
import dev.blitz.io.internal.driver.Datagrams;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** {@link DatagramIo#receive} and its like. */
abstract class ReceiveFuture<T> extends TurnFuture<T> {
  final DatagramIo<?> socket;

  ReceiveFuture(DatagramIo<?> socket) {
    super(socket.receiving);
    this.socket = socket;
  }

  @Override
  final void forget() {
    socket.endpoint.forgetReader();
  }

  @Override
  public final String toString() {
    return "a datagram for " + socket;
  }

  /** One datagram. */
  abstract static class One<T> extends ReceiveFuture<T> {
    private final ByteBuffer target;
    private final boolean peek;

    One(DatagramIo<?> socket, ByteBuffer target, boolean peek) {
      DatagramIo.requireWritable(target);
      super(socket);
      this.target = target;
      this.peek = peek;
    }

    /** How long the datagram was, or {@link DatagramIo#PENDING}. */
    final int receive(Context cx, @Nullable Sender from) throws IOException {
      return socket.pollReceive(target, peek, from, cx.waker());
    }
  }

  static final class Length extends One<Integer> {
    Length(DatagramIo<?> socket, ByteBuffer target, boolean peek) {
      super(socket, target, peek);
    }

    @Override
    @Nullable Integer attempt(Context cx) throws IOException {
      int n = receive(cx, null);
      return n == DatagramIo.PENDING ? null : n;
    }
  }

  static final class Whole<A extends SocketAddress> extends One<Datagram<A>> {
    private final DatagramIo<A> of;
    private final ByteBuffer into;
    private final Sender from = new Sender();

    Whole(DatagramIo<A> socket, ByteBuffer target, boolean peek) {
      super(socket, target, peek);
      of = socket;
      into = target;
    }

    @Override
    @Nullable Datagram<A> attempt(Context cx) throws IOException {
      int room = into.remaining();
      int n = receive(cx, from);
      return n == DatagramIo.PENDING ? null : of.datagram(from, n, room);
    }
  }

  /** As many as are there. */
  static final class Many extends ReceiveFuture<Integer> {
    private final Datagrams batch;

    Many(DatagramIo<?> socket, Datagrams batch) {
      super(socket);
      this.batch = batch;
    }

    @Override
    @Nullable Integer attempt(Context cx) throws IOException {
      int n = socket.pollReceiveMany(batch, cx.waker());
      return n == DatagramIo.PENDING ? null : n;
    }
  }
}
