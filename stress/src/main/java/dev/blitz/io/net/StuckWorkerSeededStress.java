package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.stress.SeededStress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * One of two workers is inside a poll of half a second, again and again: its connections still get
 * their answers, the 99th percentile within 5 ms.
 */
public final class StuckWorkerSeededStress implements SeededStress {
  private static final int CONNECTIONS = 16;
  private static final Duration POLL = Duration.ofMillis(500);
  private static final long BAR_NANOS = 5_000_000;
  private static final Duration LONGEST = Duration.ofSeconds(10);

  @Override
  public void run(long seed, Duration budget) throws Exception {
    List<String> backends = NetProbe.backends();
    Duration share = budget.dividedBy(Math.max(1, backends.size()));
    share = share.dividedBy(Hog.values().length);
    share = share.compareTo(LONGEST) > 0 ? LONGEST : share;
    for (String backend : backends) {
      for (Hog hog : Hog.values()) {
        runOn(backend, hog, new SplittableRandom(seed), share);
      }
    }
  }

  /** What the worker does in its long poll. */
  private enum Hog {
    /** Sleeps: the processor is free, and the kernel reaches the thread. */
    SLEEPS {
      @Override
      void spend(long nanos) {
        LockSupport.parkNanos(nanos);
      }
    },
    /** Computes: takes a processor, and never enters the kernel. */
    COMPUTES {
      @Override
      void spend(long nanos) {
        for (int i = 0; i < 1_000; i++) {
          Thread.onSpinWait();
        }
      }
    },
    /** Hands its worker over and computes: what its thread has armed in the kernel must go on. */
    HANDS_OVER {
      @Override
      void spend(long nanos) {
        COMPUTES.spend(nanos);
      }

      @Override
      Done poll() throws Exception {
        return Task.blockInPlace(super::poll);
      }
    };

    /** Spends up to {@code nanos}. */
    abstract void spend(long nanos);

    Done poll() throws Exception {
      long end = System.nanoTime() + POLL.toNanos();
      for (long left = POLL.toNanos(); left > 0; left = end - System.nanoTime()) {
        spend(left);
      }
      return Done.DONE;
    }
  }

  private static void runOn(String backend, Hog kind, SplittableRandom random, Duration length)
      throws Exception {
    List<Socket> clients = new ArrayList<>();
    try (var rt =
        BlitzRuntime.builder().backend(backend).workers(2).stallThreshold(Duration.ZERO).build()) {
      TcpListener listener = rt.run(Futures.lazy(() -> TcpListener.bind(0)));
      rt.spawn(NetProbe.echoServer(listener)).detach();
      for (int i = 0; i < CONNECTIONS; i++) {
        var client =
            new Socket(InetAddress.getLoopbackAddress(), listener.localAddress().getPort());
        client.setTcpNoDelay(true);
        clients.add(client);
      }
      long end = System.nanoTime() + length.toNanos();
      long[] nanos = new long[1 << 20];
      int count = 0;
      while (System.nanoTime() - end < 0) {
        JoinHandle<Done> hog = rt.spawn(Futures.lazy(kind::poll));
        while (!hog.isDone() && count < nanos.length) {
          Socket client = clients.get(random.nextInt(CONNECTIONS));
          long begin = System.nanoTime();
          roundTrip(client);
          nanos[count++] = System.nanoTime() - begin;
          LockSupport.parkNanos(random.nextInt(1_000_000));
        }
        hog.await();
      }
      report(backend, kind, Arrays.copyOf(nanos, count));
    } finally {
      for (Socket client : clients) {
        client.close();
      }
    }
  }

  private static void roundTrip(Socket client) throws IOException {
    client.getOutputStream().write('x');
    if (client.getInputStream().read() != 'x') {
      throw new AssertionError("a wrong answer");
    }
  }

  private static void report(String backend, Hog kind, long[] nanos) {
    Arrays.sort(nanos);
    long median = nanos[nanos.length / 2];
    long p99 = nanos[(int) (nanos.length * 0.99)];
    System.out.printf(
        "  %s beside a worker that %s: %d round trips, p50 %d us, p99 %d us, max %d us%n",
        backend, kind, nanos.length, median / 1_000, p99 / 1_000, nanos[nanos.length - 1] / 1_000);
    if (p99 > BAR_NANOS) {
      throw new AssertionError(
          backend + ", " + kind + ": p99 of " + p99 / 1_000 + " us is above the bar");
    }
  }
}
