package dev.blitz.io.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Futures that are dropped at every poll, and what they leave. */
@Strict
class TlsDropTest {
  private final BlitzRuntime runtime = BlitzRuntime.builder().workers(2).build();

  @AfterEach
  void close() {
    assertThat(runtime.close(Timeouts.MEDIUM).clean()).isTrue();
  }

  /** A future that drops the one it polls at a given poll. */
  private static final class DroppedAt<T> implements IoFuture<Boolean> {
    private final IoFuture<T> inner;
    private int left;

    DroppedAt(IoFuture<T> inner, int polls) {
      this.inner = inner;
      this.left = polls;
    }

    /** Whether the inner one has ended before. */
    @Override
    public @Nullable Boolean poll(Context cx) throws java.io.IOException {
      if (left-- == 0) {
        inner.drop();
        return false;
      }
      T value = inner.poll(cx);
      if (value instanceof TlsStream stream) {
        stream.close();
      }
      return value == null ? null : true;
    }

    @Override
    public void drop() {
      inner.drop();
    }
  }

  /** Small wires and pieces, so that there are many polls. */
  @Test
  void aHandshake_droppedAtEachPoll_leavesNothing() throws Exception {
    for (boolean client : new boolean[] {true, false}) {
      TlsServer server = TlsWorld.server();
      TlsClient tlsClient = TlsWorld.client();
      boolean ended = false;
      int polls = 0;
      for (; !ended; polls++) {
        Wire[] wire = Wire.pair(301);
        IoFuture<TlsStream> connect = tlsClient.connect(wire[0], TlsWorld.HOST);
        IoFuture<TlsStream> accept = server.accept(wire[1]);
        var other = runtime.spawn(client ? accept : connect);
        ended = runtime.run(new DroppedAt<>(client ? connect : accept, polls));
        assertThat(wire[client ? 0 : 1].isClosed()).isTrue();
        var outcome = Futures.outcome(other).await();
        if (outcome instanceof dev.blitz.io.future.Outcome.Success<?>(TlsStream stream)) {
          stream.close();
        }
        assertThat(wire[client ? 1 : 0].isClosed()).isTrue();
      }
      assertThat(polls).as("polls of one handshake").isGreaterThan(4);
      assertThat(server.buffers().records().spares()).isLessThan(5);
    }
  }

  @Test
  void aHandshake_thatWasDropped_orHasEnded_isNotPolledAgain() throws Exception {
    Wire[] wire = Wire.pair(1 << 16);
    var accept = TlsWorld.server().accept(wire[1]);
    accept.drop();
    accept.drop();
    assertThat(wire[1].isClosed()).isTrue();
    assertThatThrownBy(() -> accept.poll(Context.of(() -> {})))
        .isInstanceOf(IllegalStateException.class);
  }

  /** Reads and writes are dropped again and again; every byte arrives once, in order. */
  @Test
  void readsAndWrites_droppedAtRandom_loseAndRepeatNothing() throws Exception {
    Wire[] wire = Wire.pair(5_000);
    try (var pair =
        TlsWorld.shake(runtime, TlsWorld.client(), TlsWorld.server(), wire[0], wire[1])) {
      byte[] data = new byte[400_000];
      var random = new SplittableRandom(13);
      random.nextBytes(data);
      var writing = runtime.spawn(dropping(random.split(), ByteBuffer.wrap(data), pair.client()));
      var got = ByteBuffer.allocate(data.length);
      var reading = runtime.spawn(droppingReads(random.split(), got, pair.server()));
      writing.await();
      reading.await();
      assertThat(got.array()).isEqualTo(data);
    }
  }

  private static IoFuture<Done> dropping(SplittableRandom random, ByteBuffer source, TlsStream to) {
    return new IoFuture<>() {
      private IoFuture<Done> write = to.writeAll(source);

      @Override
      public @Nullable Done poll(Context cx) throws java.io.IOException {
        for (; ; ) {
          Done done = write.poll(cx);
          if (done != null) {
            return to.pollFlush(cx) ? done : null;
          }
          if (random.nextBoolean()) {
            return null;
          }
          write.drop();
          write = to.writeAll(source);
        }
      }
    };
  }

  private static IoFuture<Done> droppingReads(
      SplittableRandom random, ByteBuffer target, TlsStream from) {
    return new IoFuture<>() {
      private IoFuture<Done> read = from.readFully(target);

      @Override
      public @Nullable Done poll(Context cx) throws java.io.IOException {
        for (; ; ) {
          Done done = read.poll(cx);
          if (done != null || random.nextBoolean()) {
            return done;
          }
          read.drop();
          read = from.readFully(target);
        }
      }
    };
  }

  /** The engine's tasks are on a thread of the lane: the drop does not wait for them. */
  @Test
  void aHandshake_droppedWhileItsTasksRun_closesAtOnce() throws Exception {
    var inTask = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    var context = slowContext(inTask, release);
    var server = TlsServer.of(TlsConfig.context(context));
    Wire[] wire = Wire.pair(1 << 16);
    var connecting = runtime.spawn(TlsWorld.client().connect(wire[0], TlsWorld.HOST));
    var accepting = runtime.spawn(server.accept(wire[1]));
    assertThat(inTask.await(Timeouts.MEDIUM.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS))
        .isTrue();
    accepting.cancel();
    assertThatThrownBy(accepting::await).isInstanceOf(dev.blitz.io.future.CancelledException.class);
    assertThat(wire[1].isClosed()).isTrue();
    assertThatThrownBy(connecting::await).hasRootCauseInstanceOf(java.io.IOException.class);
    release.countDown();
  }

  private static javax.net.ssl.SSLContext slowContext(CountDownLatch inTask, CountDownLatch release)
      throws Exception {
    var identity =
        Identity.ofPem(TlsWorld.text("server"), TlsWorld.text("server-key"), null, "here");
    var keys =
        new javax.net.ssl.X509ExtendedKeyManager() {
          private final Identities inner = new Identities(java.util.List.of(identity));

          @Override
          public @Nullable String chooseEngineServerAlias(
              String type, java.security.Principal[] issuers, javax.net.ssl.SSLEngine engine) {
            inTask.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              throw new AssertionError("a task was interrupted", e);
            }
            return inner.chooseEngineServerAlias(type, issuers, engine);
          }

          @Override
          public String[] getClientAliases(String type, java.security.Principal[] issuers) {
            return inner.getClientAliases(type, issuers);
          }

          @Override
          public @Nullable String chooseClientAlias(
              String[] types, java.security.Principal[] issuers, java.net.Socket socket) {
            return inner.chooseClientAlias(types, issuers, socket);
          }

          @Override
          public String[] getServerAliases(String type, java.security.Principal[] issuers) {
            return inner.getServerAliases(type, issuers);
          }

          @Override
          public @Nullable String chooseServerAlias(
              String type, java.security.Principal[] issuers, java.net.Socket socket) {
            return inner.chooseServerAlias(type, issuers, socket);
          }

          @Override
          public java.security.cert.X509Certificate @Nullable [] getCertificateChain(String alias) {
            return inner.getCertificateChain(alias);
          }

          @Override
          public java.security.@Nullable PrivateKey getPrivateKey(String alias) {
            return inner.getPrivateKey(alias);
          }
        };
    var context = javax.net.ssl.SSLContext.getInstance("TLS");
    context.init(new javax.net.ssl.KeyManager[] {keys}, null, null);
    return context;
  }

  /** What is closed by others in the middle of reads and writes ends all of them. */
  @Test
  void closing_whileBothSidesAreBusy_endsThem() throws Exception {
    for (int i = 0; i < 30; i++) {
      Wire[] wire = Wire.pair(20_000);
      var pair = TlsWorld.shake(runtime, TlsWorld.client(), TlsWorld.server(), wire[0], wire[1]);
      var moved = new AtomicInteger();
      var writing = runtime.spawn(forEver(pair.client(), true, moved));
      var back = runtime.spawn(forEver(pair.server(), true, moved));
      var reading = runtime.spawn(forEver(pair.server(), false, moved));
      var other = runtime.spawn(forEver(pair.client(), false, moved));
      dev.blitz.testkit.Await.until(() -> moved.get() > 20, "some traffic");
      pair.client().close();
      assertThatThrownBy(writing::await).hasRootCauseInstanceOf(java.io.IOException.class);
      assertThatThrownBy(other::await).hasRootCauseInstanceOf(java.io.IOException.class);
      pair.server().close();
      assertThatThrownBy(back::await).hasRootCauseInstanceOf(java.io.IOException.class);
      Futures.outcome(reading).await();
      assertThat(wire[0].isClosed() && wire[1].isClosed()).isTrue();
    }
  }

  private static dev.blitz.io.future.Future<Done> forEver(
      TlsStream stream, boolean write, AtomicInteger moved) {
    var buffer = ByteBuffer.allocate(3_000);
    return Futures.loop(() -> {
      moved.incrementAndGet();
      buffer.clear();
      return write
          ? stream.writeAll(buffer).andThen(done -> Futures.more())
          : stream.read(buffer).andThen(n -> n < 0 ? Futures.stop() : Futures.more());
    });
  }
}
