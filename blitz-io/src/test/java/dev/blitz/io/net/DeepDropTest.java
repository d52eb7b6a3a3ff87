package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.DeepCalls;
import dev.blitz.io.TestBackends;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What has begun where there is room and is dropped where there is ever less: a drop that overflows
 * can be made again, and loses neither a turn nor a descriptor.
 */
@Strict
@OnceIsEnough
class DeepDropTest {
  private static final Context CX = Context.of(() -> {});
  private static final int ROUNDS = 3;
  private static final int MANY = 200;

  @TempDir Path dir;

  /** Drops each, again where there was too little stack; how often that was. */
  private static int dropEach(int many, ThrowingSupplier<? extends Future<?>> make)
      throws Exception {
    int overflows = 0;
    for (int round = 0; round < ROUNDS; round++) {
      var pending = new ArrayDeque<Future<?>>();
      for (int i = 0; i < many; i++) {
        Future<?> future = make.get();
        assertThat(future.poll(CX)).isNull();
        pending.add(future);
      }
      overflows +=
          DeepCalls.downToTheEnd(
              () -> {
                Future<?> next = pending.peek();
                if (next != null) {
                  next.drop();
                  pending.remove();
                }
              },
              round);
      pending.forEach(Future::drop);
    }
    return overflows;
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll"})
  void aTurn_isPassedOn(String backend) throws Exception {
    assumeTrue(TestBackends.probe(backend).available());
    var target = ByteBuffer.allocate(16);
    try (var world = new SocketWorld(backend, 1);
        var socket = world.inside(() -> UdpSocket.bind(SocketWorld.loopback(0)))) {
      int overflows = dropEach(1, () -> socket.receive(target.clear()));
      assertThat(socket.receiving.availablePermits()).as(overflows + " overflows").isOne();
      var first = socket.receive(target);
      assertThat(first.poll(CX)).isNull();
      assertThat(dropEach(MANY, () -> socket.receive(target.clear()))).isPositive();
      first.drop();
      assertThat(socket.receiving.availablePermits()).isOne();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll"})
  void theTurnOfAnAccept_isPassedOn(String backend) throws Exception {
    assumeTrue(TestBackends.probe(backend).available());
    try (var world = new SocketWorld(backend, 1);
        var listener = world.listen()) {
      int overflows = dropEach(1, listener::accept);
      assertThat(listener.turn.availablePermits()).as(overflows + " overflows").isOne();
    }
  }

  private static long sockets() {
    try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(DeepDropTest::isSocket).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSocket(Path fd) {
    try {
      return Files.readSymbolicLink(fd).toString().startsWith("socket:");
    } catch (IOException e) {
      return false; // it has been closed meanwhile
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll"})
  void aConnectionToAFullQueue_isClosed(String backend) throws Exception {
    assumeTrue(TestBackends.probe(backend).available());
    Path path = dir.resolve("s");
    List<UnixStream> queued = new ArrayList<>();
    try (var world = new SocketWorld(backend, 1);
        var full = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      full.bind(UnixDomainSocketAddress.of(path), 1);
      for (UnixStream next = connect(world, path); next != null; next = connect(world, path)) {
        queued.add(next);
      }
      long before = sockets();
      assertThat(dropEach(MANY, () -> world.inside(() -> UnixStream.connect(path)))).isPositive();
      Await.until(() -> sockets() <= before, "all connections are closed");
    } finally {
      queued.forEach(UnixStream::close);
    }
  }

  private static @Nullable UnixStream connect(SocketWorld world, Path path) throws Exception {
    var connecting = world.inside(() -> UnixStream.connect(path));
    UnixStream connected = connecting.poll(CX);
    if (connected == null) {
      connecting.drop();
    }
    return connected;
  }
}
