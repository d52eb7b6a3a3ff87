package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Crew;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients send some bytes and reset, or end, at once: every reader and every echo learns of it, and
 * none stays behind with its descriptor.
 */
public final class ResetSeededStress implements SeededStress {
  private static final int CLIENT_THREADS = 2;
  private static final int MAX_CONNECTIONS = 500;

  @Override
  public void run(long seed, Duration budget) throws Exception {
    List<String> backends = NetProbe.backends();
    Duration share = budget.dividedBy(Math.max(1, backends.size()));
    for (String backend : backends) {
      var resets = new AtomicLong();
      Rounds.run(seed, share, random -> round(backend, random, resets));
      System.out.printf("  %s: %d resets%n", backend, resets.get());
    }
  }

  /**
   * A number instead of a time: a seed, how many resets, and on which backends. Fails with the
   * first round that leaves somebody behind.
   */
  public static void main(String[] args) {
    long most = Long.parseLong(args[1]);
    for (String backend : List.of(args).subList(2, args.length)) {
      var seeds = new SplittableRandom(Long.parseLong(args[0]));
      var resets = new AtomicLong();
      while (resets.get() < most) {
        Rounds.run(seeds.nextLong(), Duration.ZERO, random -> round(backend, random, resets));
      }
      System.out.printf("%s: %d resets, nobody left behind%n", backend, resets.get());
    }
  }

  private static void round(String backend, SplittableRandom random, AtomicLong resets)
      throws Exception {
    int workers = random.nextInt(1, 4);
    try (var rt = BlitzRuntime.builder().backend(backend).workers(workers).build()) {
      TcpListener listener =
          rt.run(Futures.lazy(() -> TcpListener.builder().backlog(1024).listen(0)));
      int port = listener.localAddress().getPort();
      boolean echo = random.nextBoolean();
      JoinHandle<?> server = rt.spawn(echo ? NetProbe.echoServer(listener) : readers(listener));
      for (int burst = random.nextInt(1, 20); burst > 0; burst--) {
        var crew = new Crew(random);
        for (int i = 0; i < CLIENT_THREADS; i++) {
          crew.start(own -> connect(port, own, resets));
        }
        crew.join();
      }
      Patience.until(() -> rt.stats().live() == 1, () -> "all connections to end: " + rt.dump());
      server.cancel();
      Patience.until(() -> rt.stats().live() == 0, () -> "the server to end: " + rt.dump());
      listener.close();
    }
  }

  private static void connect(int port, SplittableRandom random, AtomicLong resets)
      throws IOException {
    byte[] bytes = new byte[random.nextInt(1, 65)];
    boolean pauses = random.nextInt(4) == 0;
    for (int i = random.nextInt(1, MAX_CONNECTIONS); i > 0; i--) {
      try (var client = new Socket(InetAddress.getLoopbackAddress(), port)) {
        client.getOutputStream().write(bytes);
        if (pauses) {
          Patience.delay(random);
        }
        if (random.nextInt(8) > 0) { // else it ends in good order
          client.setSoLinger(true, 0);
          resets.incrementAndGet();
        }
      }
    }
  }

  /** Accepts for ever, and reads each connection to its end, however that comes. */
  private static Future<Done> readers(TcpListener listener) {
    return Futures.loop(() ->
        listener
            .accept()
            .andThen(stream -> {
              Task.spawn(readToTheEnd(stream)).detach();
              return Futures.more();
            }));
  }

  private static Future<Done> readToTheEnd(TcpStream stream) {
    var buffer = ByteBuffer.allocate(16);
    return Futures.loop(
            () -> stream.read(buffer.clear()).andThen(n -> n < 0 ? Futures.stop() : Futures.more()))
        .recover(reset -> Done.DONE)
        .whenDone(stream::close);
  }
}
