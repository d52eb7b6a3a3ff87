package dev.blitz.io.internal.driver.uring;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.ListenerEndpoint;
import dev.blitz.io.internal.driver.StreamEndpoint;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Polls an endpoint on the calling thread until it answers. */
final class Polling implements Waker {
  private final Semaphore wakes = new Semaphore(0);

  @Override
  public void wake() {
    wakes.release();
  }

  private interface Poll<T> {
    @Nullable T once(Waker waker) throws IOException;
  }

  private static <T> T await(Poll<T> poll) throws Exception {
    var waker = new Polling();
    for (; ; ) {
      T value = poll.once(waker);
      if (value != null) {
        return value;
      }
      if (!waker.wakes.tryAcquire(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new AssertionError("not woken");
      }
    }
  }

  static void connect(StreamEndpoint stream, InetSocketAddress remote) throws Exception {
    await(waker -> stream.pollConnect(remote, waker) ? true : null);
  }

  static StreamEndpoint accept(ListenerEndpoint listener) throws Exception {
    return await(listener::pollAccept);
  }

  /** At least one byte, or "" at the end. */
  static String read(StreamEndpoint stream, int most) throws Exception {
    byte[] bytes = new byte[most];
    int n =
        await(waker -> {
          int r = stream.pollRead(ByteBuffer.wrap(bytes), waker);
          return r == StreamEndpoint.PENDING ? null : r;
        });
    return n == StreamEndpoint.EOF ? "" : new String(bytes, 0, n, US_ASCII);
  }

  static void write(StreamEndpoint stream, byte[] bytes) throws Exception {
    int done = 0;
    while (done < bytes.length) {
      ByteBuffer rest = ByteBuffer.wrap(bytes, done, bytes.length - done);
      done +=
          await(waker -> {
            int r = stream.pollWrite(rest, waker);
            return r == StreamEndpoint.PENDING ? null : r;
          });
    }
  }

  static void write(StreamEndpoint stream, String text) throws Exception {
    write(stream, text.getBytes(US_ASCII));
  }
}
