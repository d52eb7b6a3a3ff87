package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.TestBackends;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.net.SocketWorld.Bell;
import dev.blitz.io.shutdown.Shutdown;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.testkit.Strict;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a wait that is stopped finds when it looks for the last time: all that the kernel has, also
 * if nobody has been told of it. Not on iocp: there threads of the JDK bring it, in their own time.
 */
@Strict
class LastLookTest {

  private static SocketWorld open(String backend) {
    return open(backend, 1);
  }

  private static SocketWorld open(String backend, int workers) {
    TestBackends.assumeAvailable(backend);
    return new SocketWorld(backend, workers);
  }

  private static Shutdown stopped(SocketWorld world) {
    Shutdown shutdown = Shutdown.builder().linger(Duration.ZERO).open(world.runtime);
    shutdown.force();
    return shutdown;
  }

  private static Socket peerOf(TcpListener listener) throws Exception {
    return new Socket(InetAddress.getLoopbackAddress(), listener.localAddress().getPort());
  }

  /** Over loopback: it has arrived when this returns. */
  private static void send(Socket peer, String text) throws Exception {
    peer.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  @ParameterizedTest
  @ValueSource(strings = {"io_uring", "epoll", "poll", "nio"})
  void theFirstRead_ofAConnectionThatIsAcceptedAfterTheStop(String backend) throws Exception {
    try (var world = open(backend);
        var listener = world.listen();
        var shutdown = stopped(world);
        var peer = peerOf(listener)) {
      send(peer, "late");
      var target = ByteBuffer.allocate(8);
      try (var stream = world.runtime.run(shutdown.guard(listener.accept()))) {
        assertThat(world.runtime.run(shutdown.guard(stream.read(target)))).isEqualTo(4);
        assertThat(text(target)).isEqualTo("late");
        assertThatThrownBy(() -> world.runtime.run(shutdown.guard(stream.read(target.clear()))))
            .as("nothing is there")
            .isInstanceOf(CancelledException.class);
      }
      assertThatThrownBy(() -> world.runtime.run(shutdown.guard(listener.accept())))
          .as("nobody is there")
          .isInstanceOf(CancelledException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"io_uring", "epoll", "poll", "nio"})
  void inDirectStyle(String backend) throws Exception {
    try (var world = open(backend);
        var listener = world.listen();
        var shutdown = stopped(world);
        var peer = peerOf(listener)) {
      send(peer, "late");
      String read =
          world
              .runtime
              .spawn(() -> {
                var target = ByteBuffer.allocate(8);
                try (var stream = shutdown.guard(listener.accept()).await()) {
                  shutdown.guard(stream.read(target)).await();
                }
                return text(target);
              })
              .await();
      assertThat(read).isEqualTo("late");
    }
  }

  /** One worker, and it is inside this poll: so nobody asks the kernel meanwhile. */
  @ParameterizedTest
  @ValueSource(strings = {"io_uring", "epoll", "poll", "nio"})
  void aSecondRead_andASecondAccept_ofWhatCameWhileTheWorkerWasBusy(String backend)
      throws Exception {
    try (var world = open(backend);
        var listener = world.listen();
        var shutdown = Shutdown.builder().linger(Duration.ZERO).open(world.runtime);
        var peer = peerOf(listener);
        var stream = listener.accept().await()) {
      var accept = shutdown.guard(listener.accept());
      var target = ByteBuffer.allocate(8);
      var read = shutdown.guard(stream.read(target));
      var bell = new Bell();
      assertThat(read.poll(bell.context())).isNull();
      assertThat(accept.poll(bell.context())).isNull();
      int read1 =
          world.inside(() -> {
            try (var second = peerOf(listener)) {
              send(peer, "late");
              shutdown.force();
              try (var accepted = accept.poll(bell.context())) {
                assertThat(accepted).isNotNull();
                assertThat(second.getPort()).isEqualTo(accepted.localAddress().getPort());
              }
              return read.poll(bell.context());
            }
          });
      assertThat(read1).isEqualTo(4);
      assertThat(text(target)).isEqualTo("late");
    }
  }

  /** More than are polled at each wake. */
  @ParameterizedTest
  @ValueSource(strings = {"io_uring", "epoll", "poll", "nio"})
  void theOneOfManyReads_forWhichSomethingCame(String backend) throws Exception {
    int many = 20;
    List<Socket> peers = new ArrayList<>();
    try (var world = open(backend);
        var listener = world.listen();
        var shutdown = Shutdown.builder().linger(Duration.ZERO).open(world.runtime)) {
      List<IoFuture<Integer>> reads = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        peers.add(peerOf(listener));
        var stream = listener.accept().await();
        reads.add(stream.read(ByteBuffer.allocate(8)));
      }
      var first = shutdown.guard(Futures.select(reads));
      var bell = new Bell();
      assertThat(first.poll(bell.context())).isNull();
      var read =
          world.inside(() -> {
            send(peers.get(17), "late");
            shutdown.force();
            return first.poll(bell.context());
          });
      assertThat(read.index()).isEqualTo(17);
      assertThat(read.value()).isEqualTo(4);
    } finally { // those of the runtime go with it
      for (Socket peer : peers) {
        peer.close();
      }
    }
  }

  /** On iocp too: its datagrams are those of another backend. */
  @ParameterizedTest
  @ValueSource(strings = {"io_uring", "epoll", "poll", "nio", "iocp"})
  void aDatagram_thatCameWhileTheWorkerWasBusy(String backend) throws Exception {
    try (var world = open(backend);
        var shutdown = Shutdown.builder().linger(Duration.ZERO).open(world.runtime);
        var socket = world.inside(() -> UdpSocket.bind(SocketWorld.loopback(0)));
        var peer = new DatagramSocket()) {
      var target = ByteBuffer.allocate(8);
      var receive = shutdown.guard(socket.receive(target));
      var bell = new Bell();
      assertThat(receive.poll(bell.context())).isNull();
      int received =
          world.inside(() -> {
            byte[] late = "late".getBytes(StandardCharsets.US_ASCII);
            peer.send(new DatagramPacket(late, late.length, socket.localAddress()));
            shutdown.force();
            return receive.poll(bell.context());
          });
      assertThat(received).isEqualTo(4);
      assertThat(text(target)).isEqualTo("late");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"io_uring", "epoll", "poll", "nio"})
  void ofUnixSockets(String backend, @TempDir Path folder) throws Exception {
    var name = folder.resolve("socket");
    try (var world = open(backend, 2);
        var listener = world.inside(() -> UnixListener.bind(name));
        var shutdown = Shutdown.builder().linger(Duration.ZERO).open(world.runtime);
        var first = SocketChannel.open(UnixDomainSocketAddress.of(name));
        var stream = listener.accept().await()) {
      var accept = shutdown.guard(listener.accept());
      var read = shutdown.guard(stream.read(ByteBuffer.allocate(8)));
      var bell = new Bell();
      assertThat(world.inside(() -> read.poll(bell.context()) == null)).isTrue();
      assertThat(world.inside(() -> accept.poll(bell.context()) == null)).isTrue();
      shutdown.force();
      first.write(SocketWorld.bytes("late"));
      try (var second = SocketChannel.open(UnixDomainSocketAddress.of(name));
          var accepted = awaitByHand(accept, bell)) {
        assertThat(second.isConnected() && accepted.isOpen()).isTrue();
      }
      assertThat(awaitByHand(read, bell)).isEqualTo(4);
    }
  }

  /** One read for each byte. */
  private static Future<String> byteByByte(TcpStream stream, int length) {
    var target = ByteBuffer.allocate(length);
    return new Future<>() {
      private @Nullable IoFuture<Integer> next;

      @Override
      public @Nullable String poll(Context cx) throws Exception {
        while (target.position() < length) {
          if (next == null) {
            next = stream.read(target.slice(target.position(), 1));
          }
          Integer n = next.poll(cx);
          if (n == null) {
            return null;
          }
          assertThat(n).isEqualTo(1);
          target.position(target.position() + 1);
          next = null;
        }
        return text(target);
      }

      @Override
      public void drop() {
        if (next != null) {
          next.drop();
        }
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"io_uring", "epoll", "poll", "nio"})
  void aRequest_thatTakesMoreThanABudget(String backend) throws Exception {
    String request = "x".repeat(1000);
    try (var world = open(backend);
        var listener = world.listen();
        var shutdown = stopped(world);
        var peer = peerOf(listener);
        var stream = listener.accept().await()) {
      send(peer, request);
      assertThat(world.runtime.run(shutdown.guard(byteByByte(stream, request.length()))))
          .isEqualTo(request);
      send(peer, request);
      assertThatThrownBy(
              () -> world.runtime.run(shutdown.guard(byteByByte(stream, request.length() + 1))))
          .as("the end of it is missing")
          .isInstanceOf(CancelledException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"io_uring", "epoll", "poll", "nio"})
  void aRequest_thatIsReadAfterAYield(String backend) throws Exception {
    try (var world = open(backend);
        var listener = world.listen();
        var shutdown = stopped(world);
        var peer = peerOf(listener);
        var stream = listener.accept().await()) {
      send(peer, "late");
      Future<Integer> read = Task.yieldNow().andThen(done -> stream.read(ByteBuffer.allocate(8)));
      assertThat(world.runtime.run(shutdown.guard(read))).isEqualTo(4);
    }
  }

  /** It has no end: it is given up all the same. */
  @Test
  void aFutureThatAlwaysWakesItself_isGivenUp() throws Exception {
    try (var world = open("nio");
        var shutdown = stopped(world)) {
      var polls = new AtomicInteger();
      Future<String> restless =
          cx -> {
            polls.incrementAndGet();
            cx.waker().wake();
            return null;
          };
      assertThatThrownBy(() -> world.runtime.run(shutdown.guard(restless)))
          .isInstanceOf(CancelledException.class);
      assertThat(polls).hasValueGreaterThan(1);
    }
  }

  /** Polls as a task would, on this thread: again after each wake. */
  private static <T> T awaitByHand(Future<T> future, Bell bell) throws Exception {
    for (; ; ) {
      int before = bell.rings();
      T value = future.poll(bell.context());
      if (value != null) {
        return value;
      }
      bell.awaitAfter(before);
    }
  }

  /**
   * What comes is brought by the workers that wait for it, and they compute, more of them than
   * there are processors; whoever looks is none of them.
   */
  @ParameterizedTest
  @CsvSource({
    "io_uring, 2",
    "io_uring, 3",
    "io_uring, 8",
    "epoll, 2",
    "epoll, 8",
    "poll, 2",
    "nio, 2"
  })
  void whatCame_whileAllWorkersAreBusy(String backend, int workers) throws Exception {
    try (var world = open(backend, workers);
        var listener = world.listen()) {
      for (int round = 0; round < 20; round++) {
        var bell = new Bell();
        var target = ByteBuffer.allocate(8);
        var over = new AtomicBoolean();
        List<JoinHandle<?>> busy = new ArrayList<>();
        try (var shutdown = Shutdown.builder().linger(Duration.ZERO).open(world.runtime);
            var peer = peerOf(listener);
            var stream = listener.accept().await()) {
          var read = shutdown.guard(stream.read(target));
          var accept = shutdown.guard(listener.accept());
          var begun = new CountDownLatch(workers);
          var armed = new AtomicBoolean();
          try {
            for (int i = 0; i < workers; i++) {
              busy.add(
                  world.runtime.spawn(
                      Futures.lazy(() -> {
                        if (armed.compareAndSet(false, true)) {
                          assertThat(read.poll(bell.context())).isNull();
                          assertThat(accept.poll(bell.context())).isNull();
                        }
                        begun.countDown();
                        while (!over.get()) {
                          Thread.onSpinWait();
                        }
                        return over;
                      })));
            }
            begun.await();
            try (var second = peerOf(listener)) {
              send(peer, "late");
              shutdown.force();
              Integer n = read.poll(bell.context());
              TcpStream accepted = accept.poll(bell.context());
              over.set(true);
              assertThat(n == null ? awaitByHand(read, bell) : n).isEqualTo(4);
              try (var it = accepted == null ? awaitByHand(accept, bell) : accepted) {
                assertThat(second.getPort()).isEqualTo(it.localAddress().getPort());
              }
            }
            assertThat(text(target)).isEqualTo("late");
          } finally {
            over.set(true);
            for (JoinHandle<?> one : busy) {
              one.await();
            }
          }
        }
      }
    }
  }

  /** It is not waited for: who would end the wait? */
  @ParameterizedTest
  @CsvSource({"io_uring, 2", "io_uring, 8", "epoll, 2", "poll, 2", "nio, 2", "iocp, 2"})
  void whereNothingHasCome_aLookEnds(String backend, int workers) throws Exception {
    try (var world = open(backend, workers);
        var listener = world.listen()) {
      for (int round = 0; round < 100; round++) {
        var bell = new Bell();
        try (var shutdown = Shutdown.builder().linger(Duration.ZERO).open(world.runtime);
            var peer = peerOf(listener);
            var stream = listener.accept().await()) {
          var read = shutdown.guard(stream.read(ByteBuffer.allocate(8)));
          var accept = shutdown.guard(listener.accept());
          assertThat(world.inside(() -> read.poll(bell.context()) == null)).isTrue();
          assertThat(world.inside(() -> accept.poll(bell.context()) == null)).isTrue();
          shutdown.force();
          assertThatThrownBy(() -> awaitByHand(read, bell)).isInstanceOf(CancelledException.class);
          assertThatThrownBy(() -> awaitByHand(accept, bell))
              .isInstanceOf(CancelledException.class);
          assertThat(peer.isConnected()).isTrue();
        }
      }
    }
  }

  /** Nor do many keep each other going. */
  @ParameterizedTest
  @CsvSource({"io_uring, 2", "io_uring, 20", "epoll, 20", "poll, 20", "nio, 20"})
  void whereNothingHasCome_aLookAtManyEnds(String backend, int many) throws Exception {
    List<Socket> peers = new ArrayList<>();
    try (var world = open(backend, 2);
        var listener = world.listen()) {
      List<TcpStream> streams = new ArrayList<>();
      for (int i = 0; i < many; i++) {
        peers.add(peerOf(listener));
        streams.add(listener.accept().await());
      }
      for (int round = 0; round < 30; round++) {
        var bell = new Bell();
        try (var shutdown = Shutdown.builder().linger(Duration.ZERO).open(world.runtime)) {
          List<IoFuture<Integer>> reads = new ArrayList<>();
          streams.forEach(stream -> reads.add(stream.read(ByteBuffer.allocate(8))));
          var race = shutdown.guard(Futures.race(reads));
          assertThat(world.inside(() -> race.poll(bell.context()) == null)).isTrue();
          shutdown.force();
          assertThatThrownBy(() -> awaitByHand(race, bell)).isInstanceOf(CancelledException.class);
        }
      }
    } finally { // those of the runtime go with it
      for (Socket peer : peers) {
        peer.close();
      }
    }
  }

  /** The worker that waits for it sleeps in the kernel, and is about to be told. */
  @ParameterizedTest
  @CsvSource({"io_uring, 2", "io_uring, 8", "epoll, 2", "poll, 2", "nio, 2"})
  void whatCame_whileAllWorkersSleep(String backend, int workers) throws Exception {
    try (var world = open(backend, workers);
        var listener = world.listen()) {
      for (int round = 0; round < 200; round++) {
        var bell = new Bell();
        try (var shutdown = Shutdown.builder().linger(Duration.ZERO).open(world.runtime);
            var peer = peerOf(listener);
            var stream = listener.accept().await()) {
          var read = shutdown.guard(stream.read(ByteBuffer.allocate(8)));
          var accept = shutdown.guard(listener.accept());
          assertThat(world.inside(() -> read.poll(bell.context()) == null)).isTrue();
          assertThat(world.inside(() -> accept.poll(bell.context()) == null)).isTrue();
          shutdown.force();
          try (var second = peerOf(listener)) {
            send(peer, "late");
            assertThat(awaitByHand(read, bell)).as("round %d", round).isEqualTo(4);
            try (var accepted = awaitByHand(accept, bell)) {
              assertThat(second.getPort()).isEqualTo(accepted.localAddress().getPort());
            }
          }
        }
      }
    }
  }
}
