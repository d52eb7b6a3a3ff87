package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Patience;
import dev.blitz.stress.ProcessLook;
import dev.blitz.stress.SeededStress;
import java.io.IOException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Connections come and go on one runtime for as long as the budget lasts: echoes, resets, ends with
 * the answer on its way, reads that are dropped. Ten times in between all is quiet, and looked at:
 * the same descriptors and mappings are there as the first time, and the memory of the process has
 * not grown since the second.
 */
public final class ChurnSeededStress implements SeededStress {
  private static final int VISITORS = 64;
  private static final int LOOKS = 10;
  private static final int LONGEST_MESSAGE = 3_000;

  /** What the collector and the compilers may still take after the second look. */
  private static final long ALLOWANCE_KILOBYTES = 48 * 1024;

  private static final Path MAPPINGS = Path.of("/proc/self/maps");

  @Override
  public void run(long seed, Duration budget) throws Exception {
    if (!ProcessLook.atSelf().isPossible()) {
      return; // only Linux tells
    }
    String only = System.getProperty("blitz.stress.backend", "");
    List<String> backends =
        only.isEmpty() ? NetProbe.thatReset() : List.of(only); // a long look at one of them
    for (String backend : backends) {
      churn(backend, seed, budget.dividedBy(Math.max(1, backends.size())));
    }
  }

  private static void churn(String backend, long seed, Duration length) throws Exception {
    var visits = new AtomicLong();
    try (var server = BlitzRuntime.builder().backend(backend).workers(2).build();
        var clients = BlitzRuntime.builder().backend(backend).workers(2).build()) {
      TcpListener listener =
          server.run(Futures.lazy(() -> TcpListener.builder().backlog(1024).listen(0)));
      JoinHandle<?> echoes = server.spawn(NetProbe.echoServer(listener));
      int port = listener.localAddress().getPort();
      Look first = null;
      Look second = null;
      for (int i = 0; i < LOOKS; i++) {
        long end = System.nanoTime() + length.dividedBy(LOOKS).toNanos();
        List<JoinHandle<?>> all = new ArrayList<>();
        for (int v = 0; v < VISITORS; v++) {
          var random = new SplittableRandom(seed + (long) i * VISITORS + v);
          int id = v;
          all.add(clients.spawn(visitor(id, port, random, end, visits)));
        }
        for (JoinHandle<?> visitor : all) {
          visitor.await();
        }
        Patience.until(
            () -> server.stats().live() == 1, () -> "the echoes to end: " + server.dump());
        var now = Look.now();
        System.out.printf("  %s: %d visits, %s%n", backend, visits.get(), now);
        if (first == null) {
          first = now;
        } else {
          first.requireSameOpen(now);
          second = second == null ? now : second;
          second.requireSameMemory(now);
        }
      }
      echoes.cancel();
      listener.close();
    }
  }

  /** What the process has. */
  private record Look(long sockets, long mappings, long heap, long residentKilobytes) {
    static Look now() throws IOException {
      long heap = EchoSeededStress.usedHeap();
      return new Look(
          NetProbe.openSockets(), rings(), heap, ProcessLook.atSelf().residentKilobytes());
    }

    private static long rings() throws IOException {
      try (var lines = Files.lines(MAPPINGS)) {
        return lines.filter(line -> line.contains("io_uring")).count();
      }
    }

    void requireSameOpen(Look now) {
      if (now.sockets != sockets || now.mappings != mappings) {
        throw new AssertionError("something was left open: " + this + " became " + now);
      }
    }

    void requireSameMemory(Look now) {
      if (now.residentKilobytes > residentKilobytes + ALLOWANCE_KILOBYTES) {
        throw new AssertionError("memory was left behind: " + this + " became " + now);
      }
    }

    @Override
    public String toString() {
      return "%d sockets and the like, %d mappings of rings, %d KB of heap, %d KB in all"
          .formatted(sockets, mappings, heap / 1024, residentKilobytes);
    }
  }

  private static Future<Done> visitor(
      int id, int port, SplittableRandom random, long end, AtomicLong visits) {
    return Futures.loop(() -> {
      if (System.nanoTime() - end >= 0) {
        return Futures.stop();
      }
      visits.incrementAndGet();
      return visit(id, port, random).recover(ChurnSeededStress::ifReset);
    });
  }

  private static Future<Futures.Step> visit(int id, int port, SplittableRandom random)
      throws UnknownHostException {
    byte[] message = new byte[random.nextInt(1, LONGEST_MESSAGE)];
    random.nextBytes(message);
    boolean waits = random.nextInt(4) > 0;
    boolean ends = random.nextInt(4) == 0;
    return TcpStream.connect(EchoVisitor.address(id + random.nextInt(8_000), port))
        .andThen(stream ->
            (waits ? EchoVisitor.roundTrip(stream, message) : sendOnly(stream, message, random))
                .whenDone(() -> {
                  if (ends) {
                    stream.close();
                  } else {
                    stream.reset();
                  }
                }))
        .andThen(done -> Futures.more());
  }

  /** Sends, and drops a read of the answer. */
  private static Future<Done> sendOnly(TcpStream stream, byte[] message, SplittableRandom random) {
    Duration moment = Duration.ofNanos(random.nextInt(200_000));
    return stream
        .writeAll(ByteBuffer.wrap(message))
        .andThen(done ->
            stream
                .readFully(ByteBuffer.allocate(LONGEST_MESSAGE))
                .timeout(moment)
                .map(never -> Done.DONE)
                .recover(e -> {
                  if (e instanceof TimedOutException || e instanceof IOException) {
                    return Done.DONE;
                  }
                  throw e;
                }));
  }

  /** A connection that the kernel had no room for is no failure; anything else is. */
  private static Futures.Step ifReset(Exception e) throws Exception {
    if (e instanceof IOException) {
      return Futures.Step.MORE;
    }
    throw e;
  }
}
