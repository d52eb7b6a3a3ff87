package dev.blitz.io.net;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.DatagramEndpoint;
import dev.blitz.io.internal.driver.Datagrams;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** {@link DatagramIo#send}, {@link DatagramIo#sendTo} and {@link DatagramIo#sendMany}. */
abstract class SendFuture extends TurnFuture<Done> {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

  final DatagramIo<?> socket;

  /** Where the system does not tell when there is room. */
  private @Nullable Stagger pause;

  private Duration nextPause = FIRST_PAUSE;

  SendFuture(DatagramIo<?> socket) {
    super(socket.sending);
    this.socket = socket;
  }

  /** Sends what can be sent: 0 or more, or what {@link DatagramEndpoint#pollSend} answers. */
  abstract int send(Waker waker) throws IOException;

  /** Whether all has been sent, after some was. */
  abstract boolean isDone();

  @Override
  final @Nullable Done attempt(Context cx) throws IOException {
    for (; ; ) {
      if (isPausing(cx)) {
        return null;
      }
      int n = send(cx.waker());
      if (n >= 0) {
        if (isDone()) {
          return Done.DONE;
        }
        nextPause = FIRST_PAUSE;
        continue;
      }
      if (n == DatagramEndpoint.PENDING) {
        return null;
      }
      pause = new Stagger(socket.services.timers(), nextPause);
      Duration doubled = nextPause.multipliedBy(2);
      nextPause = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
    }
  }

  private boolean isPausing(Context cx) throws ClosedChannelException {
    Stagger now = pause;
    if (now == null) {
      return false;
    }
    socket.endpoint.awaitClose(cx.waker()); // a runtime that closes does not fire its timers
    if (!socket.isOpen()) {
      endPause();
      throw new ClosedChannelException();
    }
    if (!now.poll(cx)) {
      return true;
    }
    pause = null;
    return false;
  }

  private void endPause() {
    Stagger now = pause;
    if (now != null) {
      now.drop();
      pause = null;
    }
  }

  @Override
  final void forget() {
    endPause();
    socket.endpoint.forgetWriter();
  }

  /** One datagram. */
  static final class One extends SendFuture {
    private final ByteBuffer source;
    private final @Nullable SocketAddress to;

    One(DatagramIo<?> socket, ByteBuffer source, @Nullable SocketAddress to) {
      super(socket);
      this.source = source;
      this.to = to;
    }

    @Override
    int send(Waker waker) throws IOException {
      int n = socket.endpoint.pollSend(source, to, waker);
      if (n > 0) {
        source.position(source.position() + n);
      }
      return n;
    }

    @Override
    boolean isDone() {
      return true;
    }

    @Override
    public String toString() {
      return "a datagram of " + source.remaining() + " bytes to be sent by " + socket;
    }
  }

  /** Those of a batch; each leaves it when it has been sent. */
  static final class Many extends SendFuture {
    private final Datagrams batch;

    Many(DatagramIo<?> socket, Datagrams batch) {
      super(socket);
      this.batch = batch;
    }

    @Override
    int send(Waker waker) throws IOException {
      return socket.endpoint.pollSendMany(batch, waker);
    }

    @Override
    boolean isDone() {
      return batch.size() == 0;
    }

    @Override
    public String toString() {
      return batch.size() + " datagrams to be sent by " + socket;
    }
  }
}
