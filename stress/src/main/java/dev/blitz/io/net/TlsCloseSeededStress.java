package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.net.tls.TlsClient;
import dev.blitz.io.net.tls.TlsServer;
import dev.blitz.io.net.tls.TlsStream;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client asks, the server answers in some pieces and closes, and says nothing else: at once, in
 * another task, or on a thread outside of the runtime, while the last piece may still be on its
 * way. The client must get all of the answer and then the end, never an end that could be an
 * attacker's.
 */
public final class TlsCloseSeededStress implements SeededStress {
  private static final int MOST_CONNECTIONS = 40;
  private static final int QUESTION = 40;
  private static final int MOST_PIECES = 5;

  /** Less than the kernel takes of a peer that does not read. */
  private static final int LONGEST_PIECE = 6_000;

  @Override
  public void run(long seed, Duration budget) throws Exception {
    TlsServer server = TlsSeededStress.server();
    TlsClient client = TlsSeededStress.client();
    List<String> backends = NetProbe.backends();
    Duration share = budget.dividedBy(Math.max(1, backends.size()));
    for (String backend : backends) {
      var ends = new AtomicLong();
      Rounds.run(seed, share, random -> round(backend, client, server, random, ends));
      System.out.printf("  %s: %d closes, each with its close_notify%n", backend, ends.get());
    }
  }

  private static void round(
      String backend, TlsClient client, TlsServer server, SplittableRandom random, AtomicLong ends)
      throws Exception {
    int workers = random.nextInt(1, 4);
    try (var outside = Executors.newSingleThreadExecutor();
        var rt = BlitzRuntime.builder().backend(backend).workers(workers).build()) {
      TcpListener listener =
          rt.run(Futures.lazy(() -> TcpListener.builder().backlog(1024).listen(0)));
      int port = listener.localAddress().getPort();
      List<JoinHandle<Done>> visits = new ArrayList<>();
      for (int i = random.nextInt(1, MOST_CONNECTIONS); i > 0; i--) {
        int[] pieces = random.ints(random.nextInt(1, MOST_PIECES), 1, LONGEST_PIECE).toArray();
        int how = random.nextInt(3);
        Future<Done> visit =
            TcpStream.connect("localhost", port)
                .andThen(tcp -> client.connect(tcp, "localhost"))
                .andThen(stream -> ask(stream, pieces, how).whenDone(stream::close));
        visits.add(rt.spawn(visit));
      }
      JoinHandle<?> serving = rt.spawn(serve(listener, server, outside));
      for (JoinHandle<Done> visit : visits) {
        visit.await();
        ends.incrementAndGet();
      }
      serving.cancel();
      Patience.until(() -> rt.stats().live() == 0, () -> "all to end: " + rt.dump());
      listener.close();
    }
  }

  private static Future<Done> serve(TcpListener listener, TlsServer tls, ExecutorService outside) {
    return Futures.loop(() ->
        listener
            .accept()
            .andThen(tcp -> {
              Task.spawn(tls.accept(tcp).andThen(stream -> answer(stream, outside))).detach();
              return Futures.more();
            }));
  }

  /** The question says how long each piece of the answer is, and who closes. */
  private static Future<Done> ask(TlsStream stream, int[] pieces, int how) {
    var question = ByteBuffer.allocate(QUESTION).putInt(how).putInt(pieces.length);
    int all = 0;
    for (int piece : pieces) {
      question.putInt(piece);
      all += piece;
    }
    var answer = ByteBuffer.allocate(all);
    return stream
        .writeAll(question.clear())
        .andThen(asked -> stream.readFully(answer))
        .andThen(read -> stream.read(ByteBuffer.allocate(1)))
        .map(n -> {
          if (n != -1) {
            throw new AssertionError("the server said more");
          }
          return Done.DONE;
        });
  }

  private static Future<Done> answer(TlsStream stream, ExecutorService outside) {
    var question = ByteBuffer.allocate(QUESTION);
    return stream
        .readFully(question)
        .andThen(asked -> {
          question.flip();
          int how = question.getInt();
          int[] left = {question.getInt()};
          return Futures.loop(() ->
                  left[0]-- == 0
                      ? Futures.stop()
                      : stream
                          .writeAll(ByteBuffer.allocate(question.getInt()))
                          .andThen(written -> Futures.more()))
              .map(written -> close(stream, how, outside));
        });
  }

  private static Done close(TlsStream stream, int how, ExecutorService outside) {
    switch (how) {
      case 0 -> stream.close();
      case 1 ->
          Task.spawn(
                  Futures.lazy(() -> {
                    stream.close();
                    return Done.DONE;
                  }))
              .detach();
      default -> outside.execute(stream::close);
    }
    return Done.DONE;
  }
}
