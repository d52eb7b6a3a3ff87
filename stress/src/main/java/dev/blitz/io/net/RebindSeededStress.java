package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Somebody waits for a socket, it is closed, and its port is bound again at once. */
public final class RebindSeededStress implements SeededStress {
  private static final int MAX_BINDS = 500;

  @Override
  public void run(long seed, Duration budget) throws Exception {
    List<String> backends = NetProbe.backends();
    Duration share = budget.dividedBy(Math.max(1, backends.size()));
    for (String backend : backends) {
      var binds = new AtomicLong();
      Rounds.run(seed, share, random -> round(backend, random, binds));
      System.out.printf("  %s: %d binds%n", backend, binds.get());
    }
  }

  private static void round(String backend, SplittableRandom random, AtomicLong binds)
      throws Exception {
    int workers = random.nextInt(1, 4);
    try (var rt = BlitzRuntime.builder().backend(backend).workers(workers).build()) {
      int count = random.nextInt(1, MAX_BINDS);
      if (random.nextBoolean()) {
        datagrams(rt, count, random);
      } else {
        listeners(rt, count, random);
      }
      Patience.until(() -> rt.stats().live() == 0, () -> "all who wait to end: " + rt.dump());
      binds.addAndGet(count);
    }
  }

  private static void datagrams(BlitzRuntime rt, int count, SplittableRandom random)
      throws Exception {
    var local = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    UdpSocket socket = bound(rt, () -> {}, local);
    local = socket.localAddress();
    for (int i = 0; i < count; i++) {
      rt.spawn(
              socket
                  .receiveFrom(ByteBuffer.allocate(8))
                  .map(d -> Done.DONE)
                  .recover(e -> Done.DONE))
          .detach();
      pauseAtTimes(random);
      socket = bound(rt, socket::close, local);
    }
    socket.close();
  }

  private static UdpSocket bound(BlitzRuntime rt, Runnable close, InetSocketAddress local)
      throws Exception {
    return rt.run(
        Futures.lazy(() -> {
          close.run();
          return UdpSocket.bind(local);
        }));
  }

  private static void listeners(BlitzRuntime rt, int count, SplittableRandom random)
      throws Exception {
    TcpListener listener = listening(rt, () -> {}, 0);
    int port = listener.localAddress().getPort();
    for (int i = 0; i < count; i++) {
      rt.spawn(listener.accept().map(s -> Done.DONE).recover(e -> Done.DONE)).detach();
      pauseAtTimes(random);
      listener = listening(rt, listener::close, port);
    }
    listener.close();
  }

  private static TcpListener listening(BlitzRuntime rt, Runnable close, int port) throws Exception {
    return rt.run(
        Futures.lazy(() -> {
          close.run();
          return TcpListener.bind(port);
        }));
  }

  private static void pauseAtTimes(SplittableRandom random) {
    if (random.nextInt(4) == 0) {
      Patience.delay(random);
    }
  }
}
