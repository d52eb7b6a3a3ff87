package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.noise;
import static dev.blitz.io.net.SocketWorld.readText;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Selected;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.Race;
import dev.blitz.testkit.TestSeed;
import dev.blitz.testkit.Timeouts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many connections, and workers that are stuck. */
abstract class CrowdConformance extends SocketConformance {
  private static final Path STATUS = Path.of("/proc/self/status");

  CrowdConformance(String backend) {
    super(backend);
  }

  @Test
  @SuppressWarnings("try") // closing in the middle is the point
  void connectionsComeAndGo_andNoBytesReachAStranger(TestSeed seed) throws Exception {
    int visitors = 8;
    int visits = 40;
    try (var listener = world.listen()) {
      InetSocketAddress address = listener.localAddress();
      var server =
          world.runtime.spawn(
              Futures.loop(() ->
                  listener
                      .accept()
                      .andThen(stream -> {
                        world.runtime.spawn(echo(stream).recover(e -> Done.DONE)).detach();
                        return Futures.more();
                      })));
      Race.run(
          visitors,
          who -> {
            var random = seed.derive(who).random();
            for (int visit = 0; visit < visits; visit++) {
              try (var stream = world.connecting(address).await()) {
                var question = ByteBuffer.wrap(noise(random.nextInt(1, 3000), random.nextLong()));
                stream.writeAll(question.duplicate()).await();
                switch (random.nextInt(hasLinger() ? 0 : 1, 4)) {
                  case 0 -> stream.reset();
                  case 1 -> stream.close();
                  default -> {
                    var answer = ByteBuffer.allocate(question.remaining());
                    stream.readFully(answer).await();
                    assertThat(answer.flip()).isEqualTo(question);
                  }
                }
              }
            }
          });
      server.cancel();
    }
  }

  @Test
  @SuppressWarnings("try") // as above
  void aStuckWorker_doesNotKeepItsConnectionsWaiting() throws Exception {
    try (var listener = world.listen()) {
      var accepted = world.runtime.spawn(listener.accept());
      try (var client =
          new Socket(InetAddress.getLoopbackAddress(), listener.localAddress().getPort())) {
        client.setTcpNoDelay(true);
        var served = world.runtime.spawn(echo(accepted.await()));
        for (int round = 0; round < 4; round++) {
          roundTrip(client);
          var release = new CountDownLatch(1);
          var stuck = new CountDownLatch(1);
          var hog =
              world.runtime.spawn(
                  Futures.lazy(() -> {
                    stuck.countDown();
                    return release.await(Timeouts.MEDIUM.toMillis(), TimeUnit.MILLISECONDS);
                  }));
          stuck.await();
          for (int i = 0; i < 20; i++) {
            roundTrip(client); // hangs if only the stuck worker looks at the driver
          }
          assertThat(hog.isDone()).isFalse();
          release.countDown();
          assertThat(hog.await()).isTrue();
        }
        client.close();
        served.await();
      }
    }
  }

  /**
   * A virtual thread that lost its worker while it held what the worker needs would stop everything
   * for good.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void directTasksThatCloseWhileOthersRead_keepTheWorkersGoing(int workers) throws Exception {
    int visitors = 4;
    int visits = 600;
    var answered = new AtomicInteger();
    try (var small = new SocketWorld(backend, workers);
        var listener = small.listen()) {
      InetSocketAddress address = listener.localAddress();
      var server =
          small.runtime.spawn(() -> {
            while (true) {
              TcpStream stream = listener.accept().await();
              Task.spawn(() -> answer(stream)).detach();
            }
          });
      Race.run(
          visitors,
          who -> {
            for (int visit = 0; visit < visits; visit++) {
              try (var client = small.connecting(address).await()) {
                client.writeAll(ByteBuffer.allocate(64)).await();
                client.readFully(ByteBuffer.allocate(64)).await();
                answered.incrementAndGet();
              }
            }
          });
      server.cancel();
    }
    assertThat(answered).hasValue(visitors * visits);
  }

  private static void answer(TcpStream stream) throws IOException {
    try (stream) {
      var buffer = ByteBuffer.allocate(64);
      stream.readFully(buffer).await();
      stream.writeAll(buffer.flip()).await();
    }
  }

  /**
   * The leak check of the suite counts what a backend maps; this looks from outside, at all that
   * the process has.
   */
  @Test
  void manyRuntimes_oneAfterTheOther_leaveNoMemory() throws Exception {
    assumeTrue(Files.isReadable(STATUS), "a kernel that tells");
    useRuntimes(40); // what is made once and kept
    long mappedBefore = kilobytes("VmSize");
    long residentBefore = kilobytes("VmRSS");
    useRuntimes(200);
    System.gc(); // what the garbage collector has to free is no leak
    // A runtime on io_uring maps 64 MB for its buffers; the C library's own pools come to 1 GB.
    assertThat(kilobytes("VmSize") - mappedBefore).isLessThan(2 << 20);
    assertThat(kilobytes("VmRSS") - residentBefore).isLessThan(128 << 10);
  }

  @Test
  void aTaskThatWaitsForMoreThanItsBudget_sleepsUntilSomethingComes() throws Exception {
    int many = 200;
    List<SocketWorld.Pair> pairs = new ArrayList<>();
    try (var listener = world.listen()) {
      for (int i = 0; i < many; i++) {
        var client = world.connecting(listener.localAddress()).await();
        pairs.add(new SocketWorld.Pair(client, listener.accept().await()));
      }
      var polls = new AtomicInteger();
      List<Future<String>> branches = new ArrayList<>();
      for (SocketWorld.Pair pair : pairs) {
        var buffer = ByteBuffer.allocate(8);
        branches.add(pair.server().read(buffer).map(n -> "read " + n));
      }
      for (int i = 0; i < many; i++) {
        branches.add(
            listener
                .accept()
                .map(stream -> {
                  stream.close();
                  return "accepted";
                }));
      }
      JoinHandle<List<String>> all =
          world.runtime.spawn(
              Futures.joinAll(branches.stream().map(f -> counted(f, polls)).toList()));
      Await.until(() -> polls.get() >= 2 * many, "the first polls");
      for (SocketWorld.Pair pair : pairs) {
        pair.client().writeAll(bytes("x")).await();
      }
      List<TcpStream> visitors = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        visitors.add(world.connecting(listener.localAddress()).await());
      }
      assertThat(all.await()).hasSize(2 * many).containsOnly("read 1", "accepted");
      assertThat(polls.get()).as("polls of %d branches", 2 * many).isLessThan(12 * many);
      visitors.forEach(TcpStream::close);
    } finally {
      pairs.forEach(SocketWorld.Pair::close);
    }
  }

  @Test
  void aRaceOfMoreReadsThanTheBudget_endsWithTheLastOfThem() throws Exception {
    int many = 129;
    List<SocketWorld.Pair> pairs = new ArrayList<>();
    try {
      for (int i = 0; i < many; i++) {
        pairs.add(world.pair());
      }
      JoinHandle<Selected<Integer>> first =
          world.runtime.spawn(
              Futures.select(
                  pairs.stream().map(p -> p.server().read(ByteBuffer.allocate(8))).toList()));
      pairs.getLast().client().writeAll(bytes("x")).await();
      assertThat(first.await()).isEqualTo(new Selected<>(many - 1, 1));
    } finally {
      pairs.forEach(SocketWorld.Pair::close);
    }
  }

  private static <T> Future<T> counted(Future<T> inner, AtomicInteger polls) {
    return new Future<>() {
      @Override
      public @Nullable T poll(Context cx) throws Exception {
        polls.incrementAndGet();
        return inner.poll(cx);
      }

      @Override
      public void drop() {
        inner.drop();
      }
    };
  }

  private void useRuntimes(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      try (var small = new SocketWorld(backend, 2);
          var pair = small.pair()) {
        pair.client().writeAll(bytes("used")).await();
        assertThat(readText(pair.server(), 4)).isEqualTo("used");
      }
    }
  }

  private static long kilobytes(String what) throws IOException {
    for (String line : Files.readAllLines(STATUS)) {
      if (line.startsWith(what + ":")) {
        return Long.parseLong(line.replaceAll("\\D", ""));
      }
    }
    throw new IOException("no " + what + " in " + STATUS);
  }

  private static void roundTrip(Socket client) throws IOException {
    client.getOutputStream().write('x');
    assertThat(client.getInputStream().read()).isEqualTo('x');
  }
}
