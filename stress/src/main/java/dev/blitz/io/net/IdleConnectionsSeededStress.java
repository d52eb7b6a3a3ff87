package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Patience;
import dev.blitz.stress.ProcessLook;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Ten thousand open connections that have seen traffic and are idle, a minute at most: no thread of
 * the server's runtime, nor of the clients', is scheduled once, so none makes a system call. Prints
 * what a connection takes.
 */
public final class IdleConnectionsSeededStress implements SeededStress {
  private static final int CONNECTIONS = 10_000;
  private static final int RESERVE = 1_000;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** Threads go to sleep after traffic: the overseer looks a few times more. */
  private static final Duration SETTLE = Duration.ofSeconds(3);

  @Override
  public void run(long seed, Duration budget) throws Exception {
    var look = ProcessLook.atSelf();
    if (!look.isPossible()) {
      return; // only Linux tells
    }
    int connections = (int) Math.min(CONNECTIONS, NetProbe.descriptorLimit() - RESERVE);
    List<String> backends = NetProbe.backends();
    Duration share = budget.dividedBy(Math.max(1, backends.size()));
    for (String backend : backends) {
      watch(backend, connections, seed, share.compareTo(LONGEST) > 0 ? LONGEST : share);
    }
  }

  private static void watch(String backend, int connections, long seed, Duration length)
      throws Exception {
    var look = ProcessLook.atSelf();
    try (var rt = BlitzRuntime.builder().backend(backend).workers(2).seed(seed).build()) {
      TcpListener listener =
          rt.run(Futures.lazy(() -> TcpListener.builder().backlog(4096).listen(0)));
      JoinHandle<?> server = rt.spawn(NetProbe.echoServer(listener));
      long heap = EchoSeededStress.usedHeap();
      long resident = look.residentKilobytes();
      Process clients =
          NetChild.clients(
              backend, listener.localAddress().getPort(), connections, seed, Duration.ZERO);
      try (var said = clients.inputReader();
          var tell = clients.outputWriter()) {
        NetChild.require(EchoClients.IDLE, said);
        long heapEach = (EchoSeededStress.usedHeap() - heap) / connections;
        long residentEach = (look.residentKilobytes() - resident) * 1024 / connections;
        pause(SETTLE);
        var there = ProcessLook.at(clients);
        Map<String, Long> hereBefore = look.switches();
        Map<String, Long> thereBefore = there.switches();
        pause(length);
        requireSame("server", hereBefore, look.switches());
        requireSame("clients", thereBefore, there.switches());
        System.out.printf(
            "  %s: %d connections idle for %d s: no switch of %d threads here and %d there; each"
                + " takes %d bytes of heap, %d of them the echo's buffer, and %d of the process%n",
            backend,
            connections,
            length.toSeconds(),
            hereBefore.size(),
            thereBefore.size(),
            heapEach,
            NetProbe.ECHO_BUFFER,
            residentEach);
        tell.write("go\n");
        tell.flush();
        NetChild.require(EchoClients.DONE, said);
        clients.waitFor();
      } finally {
        clients.destroyForcibly();
      }
      server.cancel();
      listener.close();
      Patience.until(() -> rt.stats().live() == 0, () -> "the echoes to end: " + rt.dump().size());
    }
  }

  private static void requireSame(String who, Map<String, Long> before, Map<String, Long> after) {
    if (before.isEmpty() || !before.equals(after)) {
      throw new AssertionError("the idle " + who + ": " + before + " became " + after);
    }
  }

  private static void pause(Duration duration) {
    long end = System.nanoTime() + duration.toNanos();
    for (long left = duration.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
