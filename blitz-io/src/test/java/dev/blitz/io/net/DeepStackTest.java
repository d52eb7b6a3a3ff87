package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.DeepCalls;
import dev.blitz.io.DeepStack;
import dev.blitz.io.TestBackends;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.Halves;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.Endpoint;
import dev.blitz.io.internal.driver.OwnedEndpoint;
import dev.blitz.io.internal.wait.LastLook;
import dev.blitz.testkit.Await;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TimeLimit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that meet the end of the stack: whatever they have begun to use, they let go of. */
@Strict
@OnceIsEnough
@TimeLimit(180) // thousands of overflows, each with its stack trace
class DeepStackTest {
  private static int users(Endpoint endpoint) {
    return ((OwnedEndpoint<?>) endpoint).users();
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll", "nio"})
  void triesAtTheEndOfTheStack_keepNoUse(String backend) throws Exception {
    TestBackends.assumeAvailable(backend);
    try (var world = new SocketWorld(backend, 1);
        var pair = world.pair();
        var listener = world.listen()) {
      var target = ByteBuffer.allocateDirect(16);
      int failures = 0;
      for (int round = 0; round < 3; round++) {
        failures += DeepCalls.downToTheEnd(() -> pair.server().endpoint.localAddress(), round);
        failures += DeepCalls.downToTheEnd(() -> pair.server().tryRead(target.clear()), round);
        failures += DeepCalls.downToTheEnd(() -> listener.tryAccept(), round);
      }
      assertThat(failures).isPositive();
      assertThat(users(pair.server().endpoint)).isZero();
      assertThat(users(listener.endpoint)).isZero();
    }
  }

  /** The JDK's channels have locks and flags of their own, which must not be left behind. */
  @ParameterizedTest
  @ValueSource(strings = {"nio", "iocp"})
  void triesAtTheEndOfTheStack_leaveTheJdksChannelsAsTheyWere(String backend) throws Exception {
    try (var world = new SocketWorld(backend, 1);
        var pair = world.pair();
        var listener = world.listen()) {
      var target = ByteBuffer.allocateDirect(16);
      int failures = 0;
      for (int round = 0; round < 3; round++) {
        failures += DeepCalls.downToTheEnd(() -> pair.server().tryRead(target.clear()), round);
        failures += DeepCalls.downToTheEnd(() -> listener.tryAccept(), round);
        pair.client().writeAll(SocketWorld.bytes("x")).await();
        assertThat(pair.server().read(target.clear()).await()).isEqualTo(1);
        try (var client = world.connecting(listener.localAddress()).await();
            var server = listener.accept().await()) {
          assertThat(server.isOpen() && client.isOpen()).isTrue();
        }
      }
      assertThat(failures).isPositive();
    }
  }

  /** More than any call needs. */
  private static final int LEVELS = 1_500;

  private int overflows;

  /** Calls it with ever more stack: it overflows at first, and is done in the end. */
  private void untilDone(DeepCalls.Call call) throws Exception {
    overflows += DeepStack.climb(LEVELS, level -> call.make());
  }

  private static long sockets() {
    try (var all = Files.list(Path.of("/proc/self/fd"))) {
      return all.filter(DeepStackTest::isSocket).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSocket(Path number) {
    try {
      return Files.readSymbolicLink(number).toString().startsWith("socket:");
    } catch (IOException closedMeanwhile) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll", "nio", "iocp"})
  void connectsAtTheEndOfTheStack_leaveNoSocket(String backend) throws Exception {
    TestBackends.assumeAvailable(backend);
    try (var world = new SocketWorld(backend, 1);
        var listener = world.listen()) {
      world.connecting(listener.localAddress()).await().close(); // and all classes are there
      listener.accept().await().close();
      Await.until(() -> sockets() >= 1, "the listener");
      long before = sockets();
      var remote = listener.localAddress();
      List<IoFuture<TcpStream>> pending = new ArrayList<>();
      List<TcpStream> connected = new ArrayList<>();
      int failures = 0;
      for (int round = 0; round < 3; round++) {
        Queue<IoFuture<TcpStream>> fresh =
            world.inside(() -> {
              Queue<IoFuture<TcpStream>> made = new ArrayDeque<>();
              for (int i = 0; i < LEVELS; i++) {
                made.add(TcpStream.connect(remote));
              }
              return made;
            });
        var cx = Context.of(() -> {});
        failures +=
            DeepStack.climb(
                LEVELS,
                level -> {
                  IoFuture<TcpStream> next = fresh.remove();
                  TcpStream stream = next.poll(cx); // one that throws has ended
                  if (stream == null) {
                    pending.add(next);
                  } else {
                    connected.add(stream);
                  }
                });
        pending.forEach(IoFuture::drop);
        pending.clear();
        connected.forEach(TcpStream::close);
        connected.clear();
        for (TcpStream stream = listener.tryAccept(); stream != null; ) {
          stream.close();
          stream = listener.tryAccept();
        }
      }
      assertThat(failures).isPositive();
      Await.until(
          () -> {
            TcpStream stream;
            try {
              stream = listener.tryAccept(); // one that came late
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            if (stream != null) {
              stream.close();
            }
            return sockets() == before;
          },
          "all sockets to be closed but " + before);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll"})
  void acceptsThatAreDroppedAtTheEndOfTheStack_loseNoTurn(String backend) throws Exception {
    TestBackends.assumeAvailable(backend);
    try (var world = new SocketWorld(backend, 1);
        var listener = world.listen()) {
      var cx = Context.of(() -> {});
      for (int round = 0; round < 3; round++) {
        List<IoFuture<TcpStream>> accepts = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
          IoFuture<TcpStream> accept = listener.accept();
          assertThat(accept.poll(cx)).isNull(); // the first has the turn, the others wait for it
          accepts.add(accept);
        }
        Iterator<IoFuture<TcpStream>> waiting = accepts.subList(1, 300).iterator();
        untilDone(() -> {
          if (waiting.hasNext()) {
            waiting.next().drop();
          }
        });
        untilDone(() -> accepts.getFirst().drop());
        accepts.forEach(IoFuture::drop); // those that could not be dropped
        try (var client = world.connecting(listener.localAddress()).await();
            var server = listener.accept().await()) {
          assertThat(server.isOpen() && client.isOpen()).isTrue();
        }
      }
      assertThat(overflows).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"epoll", "io_uring", "poll"})
  void halvesThatAreClosedAtTheEndOfTheStack_closeTheirStream(String backend) throws Exception {
    TestBackends.assumeAvailable(backend);
    try (var world = new SocketWorld(backend, 1)) {
      for (int round = 0; round < 3; round++) {
        try (var pair = world.pair()) {
          var halves = Halves.of(pair.client());
          untilDone(halves.writer()::close);
          assertThat(pair.server().read(ByteBuffer.allocate(1)).await()).isEqualTo(ByteReader.EOF);
          assertThat(pair.client().isOpen()).isTrue();
          untilDone(halves.reader()::close);
          assertThat(pair.client().isOpen()).isFalse();
        }
      }
      assertThat(overflows).isPositive();
    }
  }

  /**
   * Whoever looks or tries serves what has completed for others: it has the stack to tell them, or
   * leaves it. The worker that would otherwise do it computes.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoServesOthersAtTheEndOfTheStack_losesNoWakeOfTheirs(boolean looks) throws Exception {
    TestBackends.assumeAvailable("io_uring");
    var over = new AtomicBoolean();
    try (var world = new SocketWorld("io_uring", 1);
        var mine = world.pair();
        var theirs = world.pair()) {
      var begun = new CountDownLatch(1);
      var busy =
          world.runtime.spawn(
              Futures.lazy(() -> {
                begun.countDown();
                while (!over.get()) {
                  Thread.onSpinWait();
                }
                return over;
              }));
      begun.await();
      try {
        for (int level = 0; level < LEVELS; level += 10) {
          assertWakeIsNotLost(mine, theirs, level, looks);
        }
        assertThat(overflows).isPositive();
      } finally {
        over.set(true);
        busy.await();
      }
    }
  }

  private static final Context NOBODY = Context.of(() -> {});

  private void assertWakeIsNotLost(
      SocketWorld.Pair mine, SocketWorld.Pair theirs, int level, boolean looks) throws Exception {
    var bell = new SocketWorld.Bell();
    Context waiting =
        Context.of(() -> {
          StackRoom.forCalls(); // as who is one of many
          bell.wake();
        });
    IoFuture<Integer> other = theirs.server().read(ByteBuffer.allocateDirect(8));
    assertThat(other.poll(waiting)).isNull();
    serve(mine); // it is armed
    serve(mine); // and that is submitted
    assertThat(theirs.client().tryWrite(SocketWorld.bytes("x"))).isEqualTo(1);
    if (!looks) {
      assertThat(mine.client().tryWrite(SocketWorld.bytes("y"))).isEqualTo(1);
    }
    var target = ByteBuffer.allocateDirect(8);
    IoFuture<Integer> look = mine.server().read(target);
    overflows +=
        DeepStack.climb(
            level + 1,
            now -> {
              if (now == level && looks) {
                new LastLook().poll(look, NOBODY);
              } else if (now == level) {
                mine.server().tryRead(target);
              }
            });
    look.drop();
    Await.until(
        () -> {
          serve(mine);
          return bell.rings() > 0;
        },
        "the wake at level " + level);
    assertThat(other.poll(waiting)).isEqualTo(1);
    mine.server().tryRead(target.clear());
  }

  /** With all the stack. */
  private static void serve(SocketWorld.Pair mine) {
    IoFuture<Integer> look = mine.server().read(ByteBuffer.allocateDirect(8));
    try {
      new LastLook().poll(look, NOBODY);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    look.drop();
  }
}
