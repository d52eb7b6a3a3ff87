package dev.blitz.io;

import dev.blitz.io.future.Futures;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.stress.ProcessLook;
import dev.blitz.stress.SeededStress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * An idle runtime uses no CPU: after real traffic, with ten thousand parked tasks, a far timer and
 * an idle connection, no thread of it is scheduled even once for as long as the budget allows, a
 * minute at most.
 */
public final class IdleSeededStress implements SeededStress {
  private static final int PARKED = 10_000;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** Threads go to sleep after traffic: the overseer looks a few times more. */
  private static final Duration SETTLE = Duration.ofSeconds(2);

  @Override
  public void run(long seed, Duration budget) throws Exception {
    var look = ProcessLook.atSelf();
    if (!look.isPossible()) {
      return; // only Linux tells
    }
    var random = new SplittableRandom(seed);
    try (var rt = BlitzRuntime.builder().workers(1 + random.nextInt(8)).build()) {
      traffic(rt, random);
      for (int i = 0; i < PARKED; i++) {
        rt.spawn(Futures.pending()).detach();
      }
      rt.spawn(Task.sleep(Duration.ofDays(1))).detach();
      idleConnection(rt);
      pause(SETTLE);
      Duration watch = budget.compareTo(LONGEST) > 0 ? LONGEST : budget;
      var before = look.switches();
      pause(watch);
      var after = look.switches();
      if (!before.equals(after)) {
        throw new AssertionError(
            "an idle runtime was scheduled within " + watch + ": " + before + " became " + after);
      }
      System.out.println(
          "  idle for " + watch.toSeconds() + " s: " + after.size() + " threads, no switch");
    }
  }

  private static void traffic(BlitzRuntime rt, SplittableRandom random) {
    List<JoinHandle<Integer>> all = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      int n = i;
      Duration nap = Duration.ofMillis(random.nextInt(20));
      all.add(
          rt.spawn(
              random.nextBoolean()
                  ? Task.sleep(nap).map(d -> n)
                  : Task.yieldNow()
                      .andThen(d -> Task.spawnBlocking(() -> n).timeout(Duration.ofMinutes(1)))));
    }
    all.forEach(JoinHandle::await);
  }

  /** A connection that has seen traffic, and tasks that wait for bytes and for others. */
  private static void idleConnection(BlitzRuntime rt) throws Exception {
    if (!rt.backend().available()) {
      return;
    }
    TcpListener listener = rt.run(Futures.lazy(() -> TcpListener.bind(0)));
    var address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.localAddress().getPort());
    TcpStream client =
        rt.run(Futures.lazy(() -> TcpStream.connect(address)).andThen(connect -> connect));
    TcpStream server = rt.run(listener.accept());
    rt.run(client.writeAll(ByteBuffer.allocate(1_000)));
    rt.run(server.readFully(ByteBuffer.allocate(1_000)));
    rt.spawn(server.read(ByteBuffer.allocate(1))).detach();
    rt.spawn(client.read(ByteBuffer.allocate(1))).detach();
    rt.spawn(listener.accept()).detach();
  }

  private static void pause(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
