package dev.blitz.io.net;

import static dev.blitz.io.net.SocketWorld.bytes;
import static dev.blitz.io.net.SocketWorld.noise;
import static dev.blitz.io.net.SocketWorld.readText;
import static dev.blitz.io.net.SocketWorld.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.net.SocketWorld.Bell;
import dev.blitz.io.net.SocketWorld.Pair;
import dev.blitz.io.sync.Mutex;
import dev.blitz.testkit.Await;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a dropped operation leaves behind. */
abstract class DropConformance extends SocketConformance {
  DropConformance(String backend) {
    super(backend);
  }

  @Test
  void aDroppedRead_losesNothing_whereverItIsDropped() throws Exception {
    try (Pair pair = world.pair()) {
      for (int polls = 0; polls < 4; polls++) {
        for (boolean awaitData : new boolean[] {false, true}) {
          var bell = new Bell();
          var buffer = ByteBuffer.allocate(16);
          var read = pair.server().read(buffer);
          for (int i = 0; i < polls; i++) {
            assertThat(read.poll(bell.context())).isNull();
          }
          int rings = bell.rings();
          pair.client().writeAll(bytes("kept")).await();
          if (awaitData && polls > 0) {
            bell.awaitAfter(rings);
          }
          read.drop();
          assertThat(buffer.position()).isZero();
          assertThat(readText(pair.server(), 4)).isEqualTo("kept");
        }
      }
    }
  }

  @Test
  void aDroppedReadFully_hasPutWhatItReadIntoTheBuffer() throws Exception {
    try (Pair pair = world.pair()) {
      var bell = new Bell();
      var buffer = ByteBuffer.allocate(8);
      var read = pair.server().readFully(buffer);
      assertThat(read.poll(bell.context())).isNull();
      pair.client().writeAll(bytes("1234")).await();
      bell.awaitAfter(0);
      Await.until(
          () -> {
            assertThat(read.poll(bell.context())).isNull();
            return buffer.position() == 4;
          },
          "the first half");
      read.drop();
      pair.client().writeAll(bytes("5678")).await();
      pair.server().readFully(buffer).await();
      assertThat(text(buffer)).isEqualTo("12345678");
    }
  }

  @Test
  void aDroppedWrite_hasSentUpToThePosition() throws Exception {
    int length = 16 << 20;
    byte[] data = noise(length, 11);
    try (Pair pair = world.pair()) {
      var bell = new Bell();
      var source = ByteBuffer.allocateDirect(length).put(data).flip();
      var write = pair.client().writeAll(source);
      assertThat(write.poll(bell.context())).isNull();
      assertThat(source.position()).isPositive();
      write.drop();
      int sent = source.position();
      var rest = world.runtime.spawn(pair.client().writeAll(source));
      var target = ByteBuffer.allocate(length);
      pair.server().readFully(target).await();
      rest.await();
      assertThat(sent).isLessThan(length);
      assertThat(target.array()).isEqualTo(data);
    }
  }

  @Test
  void aDroppedAccept_leavesTheConnectionToTheNext() throws Exception {
    try (var listener = world.listen()) {
      for (int polls = 0; polls < 3; polls++) {
        var bell = new Bell();
        var accept = listener.accept();
        for (int i = 0; i < polls; i++) {
          assertThat(accept.poll(bell.context())).isNull();
        }
        try (var client = world.connecting(listener.localAddress()).await()) {
          if (polls > 0) {
            bell.awaitAfter(0);
          }
          accept.drop();
          try (var server = listener.accept().await()) {
            assertThat(server.remoteAddress()).isEqualTo(client.localAddress());
          }
        }
      }
    }
  }

  /** The leak check of the suite sees to the descriptors. */
  @Test
  void aDroppedConnect_leavesNothing() throws Exception {
    try (var listener = world.listen()) {
      for (int polls = 0; polls < 3; polls++) {
        var bell = new Bell();
        var connect = world.connecting(listener.localAddress());
        TcpStream connected = null;
        for (int i = 0; i < polls && connected == null; i++) {
          connected = connect.poll(bell.context());
        }
        if (connected == null) {
          connect.drop();
        } else {
          connected.close();
        }
      }
      var byName = world.inside(() -> TcpStream.connect("localhost", 1));
      byName.poll(new Bell().context());
      byName.drop();
    }
  }

  @Test
  void aTimeout_dropsTheRead_andTheNextOneGoesOn() throws Exception {
    try (Pair pair = world.pair()) {
      var limited = pair.server().read(ByteBuffer.allocate(4)).timeout(Duration.ofMillis(20));
      assertThatThrownBy(() -> world.runtime.run(limited)).isInstanceOf(TimedOutException.class);
      pair.client().writeAll(bytes("late")).await();
      assertThat(readText(pair.server(), 4)).isEqualTo("late");
    }
  }

  @Test
  void cancellingATask_releasesTheStreamItWaitedFor() throws Exception {
    try (Pair pair = world.pair()) {
      for (int i = 0; i < 20; i++) {
        var read = world.runtime.spawn(pair.server().read(ByteBuffer.allocate(4)));
        if (i % 2 == 0) {
          awaitIdle("bytes from");
        }
        read.cancel();
        Await.until(read::isDone, "the task's end");
      }
      pair.client().writeAll(bytes("free")).await();
      assertThat(readText(pair.server(), 4)).isEqualTo("free");
    }
  }

  @Test
  void aSecondWrite_isRefused_withAdvice() throws Exception {
    try (Pair pair = world.pair()) {
      var bell = new Bell();
      var first = pair.client().writeAll(ByteBuffer.allocateDirect(64 << 20));
      assertThat(first.poll(bell.context())).isNull();
      var second = pair.client().write(bytes("no"));
      assertThatThrownBy(() -> second.poll(bell.context()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("another write is pending")
          .hasMessageContaining("room to write to")
          .hasMessageContaining("Mutex")
          .hasMessageContaining("Channel");
      first.drop();
    }
  }

  /** The documented way: whoever has the lock writes one whole message. */
  @Test
  void severalTasks_writeWholeMessages_underALock() throws Exception {
    int tasks = 8;
    int messages = 50;
    int length = 3_000;
    try (Pair pair = world.pair()) {
      Mutex lock = Mutex.create();
      var writers =
          IntStream.range(0, tasks)
              .mapToObj(
                  task -> world.runtime.spawn(writing(pair.client(), lock, task, messages, length)))
              .toList();
      int[] seen = new int[tasks];
      var message = ByteBuffer.allocate(length);
      for (int i = 0; i < tasks * messages; i++) {
        pair.server().readFully(message.clear()).await();
        byte task = message.get(0);
        for (int b = 1; b < length; b++) {
          assertThat(message.get(b)).isEqualTo(task);
        }
        seen[task]++;
      }
      for (var writer : writers) {
        writer.await();
      }
      assertThat(seen).containsOnly(messages);
    }
  }

  private static Future<Done> writing(
      TcpStream stream, Mutex lock, int task, int messages, int length) {
    var message = ByteBuffer.allocate(length);
    Arrays.fill(message.array(), (byte) task);
    var left = new AtomicInteger(messages);
    return Futures.loop(() ->
        left.getAndDecrement() == 0
            ? Futures.stop()
            : lock.lock()
                .andThen(guard -> stream.writeAll(message.clear()).whenDone(guard::close))
                .andThen(done -> Futures.more()));
  }

  @Test
  void aSecondRead_isRefused_untilTheFirstHasEnded() throws Exception {
    try (Pair pair = world.pair()) {
      var bell = new Bell();
      var first = pair.server().read(ByteBuffer.allocate(1));
      assertThat(first.poll(bell.context())).isNull();
      var second = pair.server().read(ByteBuffer.allocate(1));
      assertThatThrownBy(() -> second.poll(bell.context()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("another read");
      assertThatThrownBy(() -> pair.server().pollRead(bell.context(), ByteBuffer.allocate(1)))
          .isInstanceOf(IllegalStateException.class);
      second.drop();
      pair.server().writeAll(bytes("w")).await();
      first.drop();
      pair.client().writeAll(bytes("r")).await();
      assertThat(readText(pair.server(), 1)).isEqualTo("r");
    }
  }
}
