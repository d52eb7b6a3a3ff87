package dev.blitz.io.net.tls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.TestBackends;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A thousand connections at once, of which every third is reset somewhere on its way. */
@Strict
@OnceIsEnough
class TlsCrowdTest {
  private static final int CONNECTIONS = 1_000;

  @Test
  void onEpoll() throws Exception {
    crowd("epoll");
  }

  @Test
  void onUring() throws Exception {
    crowd("io_uring");
  }

  private static void crowd(String backend) throws Exception {
    TestBackends.assumeAvailable(backend);
    TlsServer server =
        TlsServer.of(
            TlsWorld.serverConfig("server")
                .handshakeTimeout(Timeouts.scaled(Duration.ofMinutes(1))));
    TlsClient client =
        TlsClient.of(
            TlsWorld.clientConfig().handshakeTimeout(Timeouts.scaled(Duration.ofMinutes(1))));
    var echoed = new AtomicInteger();
    var served = new AtomicInteger();
    try (var runtime = TestBackends.builder(backend).workers(2).build()) {
      TcpListener listener =
          runtime.run(
              Futures.lazy(() ->
                  TcpListener.builder()
                      .backlog(4096)
                      .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))));
      var accepting = runtime.spawn(serve(listener, server, served));
      InetSocketAddress address = listener.localAddress();
      List<JoinHandle<Done>> visits = new ArrayList<>();
      List<Boolean> resets = new ArrayList<>();
      var random = new SplittableRandom(17);
      for (int i = 0; i < CONNECTIONS; i++) {
        boolean reset = i % 3 == 0;
        resets.add(reset);
        var count = reset ? new AtomicInteger() : echoed;
        visits.add(runtime.spawn(visit(address, client, random.split(), reset, count)));
      }
      for (int i = 0; i < CONNECTIONS; i++) {
        Outcome<Done> outcome = Futures.outcome(visits.get(i)).await();
        if (!resets.get(i)) {
          assertThat(outcome).as("visit " + i).isInstanceOf(Outcome.Success.class);
        }
      }
      assertThat(echoed.get()).isEqualTo(CONNECTIONS - (CONNECTIONS + 2) / 3);
      accepting.cancel();
      Futures.outcome(accepting).await();
      assertThat(served.get()).isEqualTo(CONNECTIONS);
      assertThat(runtime.close(Timeouts.MEDIUM).clean()).isTrue();
    }
  }

  /** The connections end with their clients, which the close of the runtime waits for. */
  private static Future<Done> serve(TcpListener listener, TlsServer tls, AtomicInteger served) {
    return Futures.loop(() ->
            listener
                .accept()
                .andThen(tcp -> {
                  served.incrementAndGet();
                  Task.spawn(tls.accept(tcp).andThen(TlsCrowdTest::echo).recover(e -> Done.DONE))
                      .detach();
                  return Futures.more();
                }))
        .whenDone(listener::close);
  }

  private static Future<Done> echo(TlsStream stream) {
    var buffer = ByteBuffer.allocate(4096);
    return Futures.loop(() ->
            stream
                .read(buffer.clear())
                .andThen(n ->
                    n < 0
                        ? Futures.stop()
                        : stream.writeAll(buffer.flip()).andThen(done -> Futures.more())))
        .whenDone(stream::close);
  }

  private static Future<Done> visit(
      InetSocketAddress address,
      TlsClient tls,
      SplittableRandom random,
      boolean reset,
      AtomicInteger echoed) {
    return TcpStream.connect(address)
        .andThen(tcp -> {
          Future<Done> talk = tls.connect(tcp, TlsWorld.HOST).andThen(s -> talk(s, random, echoed));
          return reset ? cutOff(tcp, talk, random) : talk;
        });
  }

  /** Resets the connection below at some poll, during the handshake or later. */
  private static Future<Done> cutOff(TcpStream tcp, Future<Done> talk, SplittableRandom random) {
    int last = random.nextInt(8);
    return new Future<>() {
      private int polls;

      @Override
      public @org.jspecify.annotations.Nullable Done poll(dev.blitz.io.future.Context cx)
          throws Exception {
        if (polls++ == last) {
          tcp.reset();
        }
        Done done = talk.poll(cx);
        if (done != null) {
          throw new java.io.IOException("it had ended before");
        }
        return null;
      }

      @Override
      public void drop() {
        talk.drop();
      }
    };
  }

  private static Future<Done> talk(
      TlsStream stream, SplittableRandom random, AtomicInteger echoed) {
    byte[] message = new byte[random.nextInt(1, 20_000)];
    random.nextBytes(message);
    var answer = ByteBuffer.allocate(message.length);
    var rounds = new AtomicInteger(3);
    return Futures.loop(
            () -> {
              var sent = stream.writeAll(ByteBuffer.wrap(message)).andThen(d -> stream.flush());
              return Futures.joinAll(List.of(sent, stream.readFully(answer.clear())))
                  .andThen(d -> {
                    if (!java.util.Arrays.equals(answer.array(), message)) {
                      throw new AssertionError("another answer");
                    }
                    return rounds.decrementAndGet() == 0 ? Futures.stop() : Futures.more();
                  });
            })
        .andThen(d -> stream.shutdown())
        .map(d -> {
          echoed.incrementAndGet();
          return Done.DONE;
        })
        .whenDone(stream::close);
  }
}
