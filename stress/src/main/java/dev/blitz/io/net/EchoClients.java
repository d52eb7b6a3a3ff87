package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Patience;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clients of {@link EchoSeededStress}, in a process of their own: both ends of ten thousand
 * connections need more descriptors than a process usually may have. Arguments: backend, port,
 * connections, seed, milliseconds. Opens all connections, echoes once over each and says {@value
 * #IDLE}; after a line of input closes them and lets every client visit again and again, then says
 * {@value #DONE} and what came back.
 */
final class EchoClients {
  static final String IDLE = "idle";
  static final String DONE = "done";

  private EchoClients() {}

  @SuppressWarnings("SystemOut") // the parent reads it
  public static void main(String[] args) throws Exception {
    String backend = args[0];
    int port = Integer.parseInt(args[1]);
    int connections = Integer.parseInt(args[2]);
    long seed = Long.parseLong(args[3]);
    var length = Duration.ofMillis(Long.parseLong(args[4]));
    var echoed = new AtomicLong();
    var visits = new AtomicLong();
    long before = NetProbe.openSockets();
    var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (var rt = BlitzRuntime.builder().backend(backend).workers(2).seed(seed).build()) {
      List<TcpStream> streams = connectAll(rt, port, connections);
      System.out.println(IDLE);
      input.readLine();
      streams.forEach(TcpStream::close);
      long end = System.nanoTime() + length.toNanos();
      List<JoinHandle<?>> visitors = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        var random = new SplittableRandom(seed + i);
        visitors.add(rt.spawn(new EchoVisitor(i, port, random, end, echoed, visits).run()));
      }
      for (JoinHandle<?> visitor : visitors) {
        visitor.await();
      }
      Patience.until(() -> rt.stats().live() == 0, () -> "the tasks to end: " + rt.dump().size());
    }
    Patience.until(
        () -> NetProbe.openSockets() <= before,
        () -> NetProbe.openSockets() + " descriptors to be closed; there were " + before);
    System.out.println(DONE + " " + echoed + " " + visits);
  }

  private static List<TcpStream> connectAll(BlitzRuntime rt, int port, int connections)
      throws Exception {
    List<TcpStream> streams = new ArrayList<>(connections);
    for (int i = 0; i < connections; i++) {
      InetSocketAddress address = EchoVisitor.address(i, port);
      streams.add(rt.run(Futures.lazy(() -> TcpStream.connect(address)).andThen(c -> c)));
    }
    for (TcpStream stream : streams) {
      rt.run(EchoVisitor.roundTrip(stream, new byte[] {42}));
    }
    return streams;
  }
}
