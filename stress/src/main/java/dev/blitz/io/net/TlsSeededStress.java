package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.net.tls.TlsClient;
import dev.blitz.io.net.tls.TlsConfig;
import dev.blitz.io.net.tls.TlsServer;
import dev.blitz.io.net.tls.TlsStream;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * TLS connections that echo, with reads that are dropped half-way, handshakes that are dropped or
 * reset at some poll, and all kinds of ends: every byte that was to come back does, in order, and
 * no task and no descriptor is left.
 */
public final class TlsSeededStress implements SeededStress {
  private static final int MOST_CONNECTIONS = 60;
  private static final int LONGEST_MESSAGE = 40_000;
  private static final int MOST_MESSAGES = 5;

  /** A handshake has some five polls, and what follows some more. */
  private static final int LATEST_CUT = 9;

  @Override
  public void run(long seed, Duration budget) throws Exception {
    TlsServer server = server();
    TlsClient client = client();
    List<String> backends = NetProbe.thatReset();
    Duration share = budget.dividedBy(Math.max(1, backends.size()));
    for (String backend : backends) {
      long sockets = NetProbe.openSockets();
      var echoed = new AtomicLong();
      var cut = new AtomicLong();
      Rounds.run(seed, share, random -> round(backend, client, server, random, echoed, cut));
      Patience.until(
          () -> NetProbe.openSockets() <= sockets,
          () -> NetProbe.openSockets() + " descriptors to be closed; there were " + sockets);
      System.out.printf("  %s: %d bytes echoed, %d cut off%n", backend, echoed.get(), cut.get());
    }
  }

  static TlsServer server() throws IOException {
    return TlsServer.of(TlsConfig.create().certificate(text("tls-server"), text("tls-server-key")));
  }

  static TlsClient client() throws IOException {
    return TlsClient.of(TlsConfig.create().trust(text("tls-ca")));
  }

  private static String text(String name) throws IOException {
    try (InputStream in = TlsSeededStress.class.getResourceAsStream(name + ".pem")) {
      if (in == null) {
        throw new IllegalStateException("no " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static void round(
      String backend,
      TlsClient client,
      TlsServer server,
      SplittableRandom random,
      AtomicLong echoed,
      AtomicLong cut)
      throws Exception {
    int workers = random.nextInt(1, 4);
    try (var rt = BlitzRuntime.builder().backend(backend).workers(workers).build()) {
      TcpListener listener =
          rt.run(Futures.lazy(() -> TcpListener.builder().backlog(1024).listen(0)));
      JoinHandle<?> serving = rt.spawn(serve(listener, server));
      int port = listener.localAddress().getPort();
      List<JoinHandle<Done>> visits = new ArrayList<>();
      for (int i = random.nextInt(1, MOST_CONNECTIONS); i > 0; i--) {
        SplittableRandom own = random.split();
        Future<Done> visit =
            TcpStream.connect("localhost", port).andThen(tcp -> visit(tcp, client, own, echoed));
        boolean cutOff = random.nextInt(3) == 0;
        visits.add(rt.spawn(cutOff ? new Cut(visit, random.nextInt(LATEST_CUT), cut) : visit));
      }
      for (JoinHandle<Done> visit : visits) {
        visit.await();
      }
      Patience.until(() -> rt.stats().live() == 1, () -> "the echoes to end: " + rt.dump());
      serving.cancel();
      Patience.until(() -> rt.stats().live() == 0, () -> "the server to end: " + rt.dump());
      listener.close();
    }
  }

  private static Future<Done> serve(TcpListener listener, TlsServer tls) {
    return Futures.loop(() ->
        listener
            .accept()
            .andThen(tcp -> {
              Task.spawn(tls.accept(tcp).andThen(TlsSeededStress::echo).recover(e -> gone(e)))
                  .detach();
              return Futures.more();
            }));
  }

  /** A client that goes is no failure; anything else is. */
  private static Done gone(Exception e) throws Exception {
    if (e instanceof IOException) {
      return Done.DONE;
    }
    throw e;
  }

  /** Says goodbye before it closes: a close alone does so only if that takes no waiting. */
  private static Future<Done> echo(TlsStream stream) {
    var buffer = ByteBuffer.allocate(NetProbe.ECHO_BUFFER);
    return Futures.loop(() ->
            stream
                .read(buffer.clear())
                .andThen(n ->
                    n < 0
                        ? Futures.stop()
                        : stream.writeAll(buffer.flip()).andThen(done -> Futures.more())))
        .andThen(done -> stream.shutdown())
        .whenDone(stream::close);
  }

  private static Future<Done> visit(
      TcpStream tcp, TlsClient client, SplittableRandom random, AtomicLong echoed) {
    return client
        .connect(tcp, "localhost")
        .andThen(stream ->
            talk(stream, random, echoed)
                .andThen(done -> leave(tcp, stream, random))
                .whenDone(stream::close));
  }

  private static Future<Done> talk(TlsStream stream, SplittableRandom random, AtomicLong echoed) {
    int[] left = {random.nextInt(MOST_MESSAGES)};
    return Futures.loop(() -> {
      if (left[0]-- == 0) {
        return Futures.stop();
      }
      byte[] message = new byte[random.nextInt(1, LONGEST_MESSAGE)];
      random.nextBytes(message);
      return EchoVisitor.roundTrip(stream, message)
          .andThen(done -> {
            echoed.addAndGet(message.length);
            return Futures.more();
          });
    });
  }

  private static Future<Done> leave(TcpStream tcp, TlsStream stream, SplittableRandom random)
      throws IOException {
    switch (random.nextInt(3)) {
      case 0 -> tcp.reset();
      case 1 -> stream.close();
      default -> {
        return stream
            .shutdown()
            .andThen(done -> stream.read(ByteBuffer.allocate(1)))
            .map(n -> {
              if (n != -1) {
                throw new AssertionError("the server said more");
              }
              return Done.DONE;
            });
      }
    }
    return Futures.ready(Done.DONE);
  }

  /** Drops a visit at one of its polls. */
  private static final class Cut implements Future<Done> {
    private final Future<Done> visit;
    private final AtomicLong count;
    private int left;

    Cut(Future<Done> visit, int polls, AtomicLong count) {
      this.visit = visit;
      this.left = polls;
      this.count = count;
    }

    @Override
    public @Nullable Done poll(Context cx) throws Exception {
      if (left-- == 0) {
        visit.drop();
        count.incrementAndGet();
        return Done.DONE;
      }
      return visit.poll(cx);
    }

    @Override
    public void drop() {
      visit.drop();
    }
  }
}
