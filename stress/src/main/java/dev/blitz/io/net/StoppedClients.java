package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.Halves;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clients of {@link StoppedPeerSeededStress}: arguments backend, port, seed, milliseconds. Some
 * visit and echo, some send a long stream and read it back at the same time. Says what came back.
 */
final class StoppedClients {
  static final String BEGUN = "begun";
  static final String DONE = "done";

  private static final int VISITORS = 30;
  private static final int STREAMS = 4;
  private static final int CHUNK = 50_000;

  private StoppedClients() {}

  @SuppressWarnings("SystemOut") // the parent reads it
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[1]);
    long seed = Long.parseLong(args[2]);
    long end = System.nanoTime() + Duration.ofMillis(Long.parseLong(args[3])).toNanos();
    var echoed = new AtomicLong();
    var streamed = new AtomicLong();
    var visits = new AtomicLong();
    try (var rt = BlitzRuntime.builder().backend(args[0]).workers(2).build()) {
      List<JoinHandle<?>> all = new ArrayList<>();
      for (int i = 0; i < VISITORS; i++) {
        var random = new SplittableRandom(seed + i);
        all.add(rt.spawn(new EchoVisitor(i, port, random, end, echoed, visits).run()));
      }
      for (int i = 0; i < STREAMS; i++) {
        var random = new SplittableRandom(seed - 1 - i);
        var address = EchoVisitor.address(i, port);
        TcpStream stream =
            rt.run(Futures.lazy(() -> TcpStream.connect(address)).andThen(connect -> connect));
        var halves = Halves.of(stream);
        var sent = new AtomicLong();
        all.add(rt.spawn(send(halves, random, end, sent)));
        all.add(rt.spawn(check(halves, sent, streamed)));
      }
      System.out.println(BEGUN);
      for (JoinHandle<?> one : all) {
        one.await();
      }
    }
    System.out.printf(
        "%s %d visits, %d bytes echoed, %d bytes of long streams, none lost%n",
        DONE, visits.get(), echoed.get(), streamed.get());
  }

  private static byte pattern(long position) {
    return (byte) ((position * 31) >> 3);
  }

  private static Future<Done> send(
      Halves<TcpStream> halves, SplittableRandom random, long end, AtomicLong sent) {
    return Futures.loop(
            () -> {
              if (System.nanoTime() - end >= 0) {
                return Futures.stop();
              }
              byte[] bytes = new byte[random.nextInt(1, CHUNK)];
              for (int i = 0; i < bytes.length; i++) {
                bytes[i] = pattern(sent.get() + i);
              }
              return halves
                  .writer()
                  .writeAll(ByteBuffer.wrap(bytes))
                  .map(done -> {
                    sent.addAndGet(bytes.length);
                    return Futures.Step.MORE;
                  });
            })
        .whenDone(() -> halves.writer().close());
  }

  private static Future<Done> check(Halves<TcpStream> halves, AtomicLong sent, AtomicLong total) {
    var buffer = ByteBuffer.allocate(CHUNK);
    long[] position = {0};
    return Futures.loop(() ->
            halves
                .reader()
                .read(buffer.clear())
                .map(n -> {
                  if (n < 0) {
                    return Futures.Step.STOP;
                  }
                  for (int i = 0; i < n; i++) {
                    if (buffer.get(i) != pattern(position[0] + i)) {
                      throw new AssertionError("a wrong byte at " + (position[0] + i));
                    }
                  }
                  position[0] += n;
                  return Futures.Step.MORE;
                }))
        .map(done -> {
          if (position[0] != sent.get()) {
            throw new AssertionError(position[0] + " bytes came back of " + sent.get());
          }
          total.addAndGet(position[0]);
          return done;
        })
        .whenDone(() -> halves.reader().close());
  }
}
