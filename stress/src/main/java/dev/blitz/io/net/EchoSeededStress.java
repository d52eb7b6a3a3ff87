package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Patience;
import dev.blitz.stress.SeededStress;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/**
 * Ten thousand connections, as far as descriptors reach, that echo with random lengths, drop their
 * reads half-way, reset, close and come back: every byte that was to come back does, in order, and
 * in the end no descriptor and no mapping is left, in the server and in the process of the clients.
 * Also prints what an idle connection takes of the server's heap.
 */
public final class EchoSeededStress implements SeededStress {
  private static final int CONNECTIONS = 10_000;
  private static final int RESERVE = 1_000;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  @Override
  public void run(long seed, Duration budget) throws Exception {
    int connections = (int) Math.min(CONNECTIONS, NetProbe.descriptorLimit() - RESERVE);
    List<String> backends = NetProbe.thatReset();
    Duration share = budget.dividedBy(Math.max(1, backends.size()));
    for (String backend : backends) {
      runOn(backend, connections, seed, share.compareTo(LONGEST) > 0 ? LONGEST : share);
    }
  }

  private static void runOn(String backend, int connections, long seed, Duration length)
      throws Exception {
    long sockets = NetProbe.openSockets();
    long idle;
    String done;
    try (var rt = BlitzRuntime.builder().backend(backend).workers(2).seed(seed).build()) {
      TcpListener listener =
          rt.run(Futures.lazy(() -> TcpListener.builder().backlog(4096).listen(0)));
      JoinHandle<?> server = rt.spawn(NetProbe.echoServer(listener));
      int port = listener.localAddress().getPort();
      long heap = usedHeap();
      Process clients = NetChild.clients(backend, port, connections, seed, length);
      try (var said = clients.inputReader();
          var tell = clients.outputWriter()) {
        NetChild.require(EchoClients.IDLE, said);
        idle = (usedHeap() - heap) / connections;
        tell.write("go\n");
        tell.flush();
        done = NetChild.require(EchoClients.DONE, said);
        if (clients.waitFor() != 0) {
          throw new AssertionError("the clients ended with " + clients.exitValue());
        }
      } finally {
        clients.destroyForcibly();
      }
      server.cancel();
      listener.close();
      Patience.until(
          () -> rt.stats().live() == 0, () -> "the echo tasks to end: " + rt.dump().size());
    }
    Patience.until(
        () -> NetProbe.openSockets() <= sockets,
        () -> NetProbe.openSockets() + " descriptors to be closed; there were " + sockets);
    if (NetProbe.ringMappings() > 0) {
      throw new AssertionError(NetProbe.ringMappings() + " mappings of rings are left");
    }
    System.out.printf(
        "  %s: %d connections, bytes echoed and visits: %s; %d bytes of heap for an idle connection,"
            + " %d of them the echo's buffer%n",
        backend, connections, done, idle, NetProbe.ECHO_BUFFER);
  }

  static long usedHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
