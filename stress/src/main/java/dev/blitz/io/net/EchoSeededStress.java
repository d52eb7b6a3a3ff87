package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Patience;
import dev.blitz.stress.SeededStress;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ten thousand connections, as far as descriptors reach, that echo with random lengths, drop their
 * reads half-way, reset, close and come back: every byte that was to come back does, in order, and
 * in the end no descriptor is left. Also prints what an idle connection takes of the heap.
 */
public final class EchoSeededStress implements SeededStress {
  private static final int CONNECTIONS = 10_000;
  private static final int RESERVE = 1_000;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  @Override
  public void run(long seed, Duration budget) throws Exception {
    int connections = (int) Math.min(CONNECTIONS, (NetProbe.descriptorLimit() - RESERVE) / 2);
    List<String> backends = NetProbe.backends();
    Duration share = budget.dividedBy(Math.max(1, backends.size()));
    for (String backend : backends) {
      runOn(backend, connections, seed, share.compareTo(LONGEST) > 0 ? LONGEST : share);
    }
  }

  private static void runOn(String backend, int connections, long seed, Duration length)
      throws Exception {
    long before = NetProbe.openSockets();
    var echoed = new AtomicLong();
    var visits = new AtomicLong();
    long heapPerConnection;
    try (var rt = BlitzRuntime.builder().backend(backend).workers(2).seed(seed).build()) {
      TcpListener listener =
          rt.run(Futures.lazy(() -> TcpSocket.builder().backlog(4096).listen(0)));
      JoinHandle<?> server = rt.spawn(NetProbe.echoServer(listener));
      int port = listener.localAddress().getPort();
      heapPerConnection = idle(rt, port, connections);
      long end = System.nanoTime() + length.toNanos();
      List<JoinHandle<?>> visitors = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        var random = new SplittableRandom(seed + i);
        visitors.add(rt.spawn(new EchoVisitor(i, port, random, end, echoed, visits).run()));
      }
      for (JoinHandle<?> visitor : visitors) {
        visitor.await();
      }
      server.cancel();
      listener.close();
      Patience.until(
          () -> rt.stats().live() == 0, () -> "the echo tasks to end: " + rt.dump().size());
    }
    Patience.until(
        () -> NetProbe.openSockets() <= before,
        () -> NetProbe.openSockets() + " descriptors to be closed; there were " + before);
    System.out.printf(
        "  %s: %d connections, %d bytes echoed in %d visits, %d bytes of heap per idle connection"
            + " (both ends)%n",
        backend, connections, echoed.get(), visits.get(), heapPerConnection);
  }

  private static long usedHeap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /** Opens all connections at once, echoes once over each, and weighs them while they are idle. */
  private static long idle(BlitzRuntime rt, int port, int connections) throws Exception {
    long before = usedHeap();
    List<TcpStream> streams = new ArrayList<>(connections);
    try {
      for (int i = 0; i < connections; i++) {
        InetSocketAddress address = EchoVisitor.address(i, port);
        streams.add(rt.run(Futures.lazy(() -> TcpStream.connect(address)).andThen(c -> c)));
      }
      for (TcpStream stream : streams) {
        rt.run(EchoVisitor.roundTrip(stream, new byte[] {42}));
      }
      return (usedHeap() - before) / connections;
    } finally {
      streams.forEach(TcpStream::close);
    }
  }
}
