package dev.blitz.io.net;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.internal.driver.DatagramEndpoint;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** {@link DatagramIo#send} and {@link DatagramIo#sendTo}. */
final class SendFuture extends TurnFuture<Done> {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

  private final DatagramIo<?> socket;
  private final ByteBuffer source;
  private final @Nullable SocketAddress to;

  /** Where the system does not tell when there is room. */
  private @Nullable Stagger pause;

  private Duration nextPause = FIRST_PAUSE;

  SendFuture(DatagramIo<?> socket, ByteBuffer source, @Nullable SocketAddress to) {
    super(socket.sending);
    this.socket = socket;
    this.source = source;
    this.to = to;
  }

  @Override
  @Nullable Done attempt(Context cx) throws IOException {
    for (; ; ) {
      if (isPausing(cx)) {
        return null;
      }
      int n = socket.endpoint.pollSend(source, to, cx.waker());
      if (n >= 0) {
        source.position(source.position() + n);
        return Done.DONE;
      }
      if (n == DatagramEndpoint.PENDING) {
        return null;
      }
      pause = new Stagger(socket.host.timers(), nextPause);
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
  void forget() {
    endPause();
    socket.endpoint.forgetWriter();
  }

  @Override
  public String toString() {
    return "a datagram of " + source.remaining() + " bytes to be sent by " + socket;
  }
}
