package dev.blitz.io.net;

import dev.blitz.io.bytes.ByteStream;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** One client that visits an echo server again and again until the time is over. */
final class EchoVisitor {
  private static final int LONGEST_MESSAGE = 3_000;
  private static final int ROUNDS_PER_VISIT = 6;
  private static final int LATEST_START_MILLIS = 4_000;

  private final int id;
  private final int port;
  private final SplittableRandom random;
  private final long endNanos;
  private final AtomicLong echoed;
  private final AtomicLong visits;

  EchoVisitor(
      int id,
      int port,
      SplittableRandom random,
      long endNanos,
      AtomicLong echoed,
      AtomicLong visits) {
    this.id = id;
    this.port = port;
    this.random = random;
    this.endNanos = endNanos;
    this.echoed = echoed;
    this.visits = visits;
  }

  /** Spread over the loopback network, so that ports do not run out. */
  static InetSocketAddress address(int id, int port) throws UnknownHostException {
    byte[] host = {127, 0, (byte) (id >> 8 & 0x7f), (byte) (1 + (id & 0x7f))};
    return new InetSocketAddress(InetAddress.getByAddress(host), port);
  }

  /**
   * Begins at some moment of the first seconds: ten thousand at once would overflow the listener's
   * backlog, and the kernel then resets connections that nobody has accepted.
   */
  Future<Done> run() {
    return Task.sleep(Duration.ofMillis(random.nextInt(LATEST_START_MILLIS)))
        .andThen(begin -> Futures.loop(this::nextVisit));
  }

  private Future<Futures.Step> nextVisit() throws UnknownHostException {
    if (System.nanoTime() - endNanos >= 0) {
      return Futures.stop();
    }
    return TcpStream.connect(address(id, port))
        .andThen(this::visit)
        .andThen(done -> Task.sleep(Duration.ofMillis(random.nextInt(50))))
        .andThen(done -> Futures.more());
  }

  private Future<Done> visit(TcpStream stream) {
    visits.incrementAndGet();
    int rounds = random.nextInt(1, ROUNDS_PER_VISIT + 1);
    int[] left = {rounds};
    return Futures.loop(() ->
            left[0]-- == 0
                ? Futures.stop()
                : round(stream, left)
                    .andThen(done -> Task.sleep(Duration.ofMillis(random.nextInt(200))))
                    .andThen(done -> Futures.more()))
        .whenDone(() -> leave(stream));
  }

  private void leave(TcpStream stream) throws IOException {
    if (random.nextInt(4) == 0) {
      stream.reset();
    } else {
      stream.close();
    }
  }

  private Future<Done> round(TcpStream stream, int[] left) {
    byte[] message = new byte[random.nextInt(1, LONGEST_MESSAGE)];
    random.nextBytes(message);
    if (random.nextInt(8) == 0) {
      // Leaves with the answer on its way: the server sees a reset or writes into the void.
      left[0] = 0;
      return stream.writeAll(ByteBuffer.wrap(message)).map(done -> done);
    }
    return roundTrip(stream, message)
        .map(done -> {
          echoed.addAndGet(message.length);
          return done;
        });
  }

  /** Writes, and reads the echo with reads that are dropped after a moment and begun again. */
  static Future<Done> roundTrip(ByteStream stream, byte[] message) {
    var answer = ByteBuffer.allocate(message.length);
    return stream
        .writeAll(ByteBuffer.wrap(message))
        .andThen(written ->
            Futures.loop(() ->
                stream
                    .readFully(answer)
                    .timeout(Duration.ofMillis(2))
                    .map(done -> Futures.Step.STOP)
                    .recover(e -> {
                      if (e instanceof TimedOutException) {
                        return Futures.Step.MORE;
                      }
                      throw e;
                    })))
        .map(done -> {
          if (!Arrays.equals(answer.array(), message)) {
            throw new AssertionError("the echo differs from what was sent");
          }
          return done;
        });
  }
}
