package dev.blitz.io.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.DropExplorer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The smallest kind of stream there is, with room for few bytes so that all must wait. */
class DuplexTest extends StreamConformance {
  private static final int CAPACITY = 5;
  private static final Context NOBODY = Context.of(() -> {});

  @Override
  protected ByteStream[] connect(BlitzRuntime runtime) {
    var duplex = Duplex.ofCapacity(CAPACITY);
    return new ByteStream[] {duplex.near(), duplex.far()};
  }

  private static ByteBuffer bytes(int... values) {
    var buffer = ByteBuffer.allocate(values.length);
    for (int value : values) {
      buffer.put((byte) value);
    }
    return buffer.flip();
  }

  @Test
  void aFullDirection_makesTheWriterWait_andOneByteReadWakesIt() throws Exception {
    try (var duplex = Duplex.ofCapacity(2)) {
      assertThat(duplex.near().tryWrite(bytes(1, 2, 3))).isEqualTo(2);
      var wakes = new AtomicInteger();
      var source = bytes(3, 4);
      var write = duplex.near().writeAll(source);
      assertThat(write.poll(Context.of(wakes::incrementAndGet))).isNull();
      assertThat(wakes).hasValue(0);
      assertThat(duplex.far().tryRead(ByteBuffer.allocate(1))).isOne();
      assertThat(wakes).hasValue(1);
      assertThat(write.poll(NOBODY)).isNull();
      assertThat(source.remaining()).isOne();
      write.drop();
    }
  }

  @Test
  void afterAClose_thePeerReadsTheRest_andCannotWrite() throws Exception {
    try (var duplex = Duplex.ofCapacity(4)) {
      duplex.near().tryWrite(bytes(7, 8));
      duplex.near().close();
      duplex.near().close();
      var target = ByteBuffer.allocate(4);
      assertThat(duplex.far().tryRead(target)).isEqualTo(2);
      assertThat(duplex.far().tryRead(target)).isEqualTo(ByteReader.EOF);
      assertThatThrownBy(() -> duplex.far().tryWrite(bytes(1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("peer has closed");
    }
  }

  @Test
  void anInputThatWasShutDown_hasEnded_alsoForAReadThatWaits() throws Exception {
    try (var duplex = Duplex.ofCapacity(4)) {
      var wakes = new AtomicInteger();
      var read = duplex.near().read(ByteBuffer.allocate(1));
      assertThat(read.poll(Context.of(wakes::incrementAndGet))).isNull();
      duplex.near().shutdownInput();
      assertThat(wakes.get()).isPositive();
      assertThat(read.poll(NOBODY)).isEqualTo(ByteReader.EOF);
      assertThatThrownBy(() -> duplex.far().tryWrite(bytes(1))).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aCapacityOfNothing_isRefused() {
    assertThatThrownBy(() -> Duplex.ofCapacity(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void reads_droppedAnywhere_loseNothing() {
    DropExplorer.explore(() -> {
      var duplex = Duplex.ofCapacity(4);
      var target = ByteBuffer.allocate(4);
      return DropExplorer.scenario(duplex.far().readFully(target))
          .step("12", () -> duplex.near().tryWrite(bytes(1, 2)))
          .step("3", () -> duplex.near().tryWrite(bytes(3)))
          .step("4", () -> duplex.near().tryWrite(bytes(4)))
          .check(end -> {
            duplex.far().readFully(target).await();
            assertThat(target.array()).containsExactly(1, 2, 3, 4);
          });
    });
  }

  @Test
  void writes_droppedAnywhere_areWrittenUpToThePosition() {
    DropExplorer.explore(() -> {
      var duplex = Duplex.ofCapacity(2);
      var source = bytes(1, 2, 3, 4, 5);
      var got = ByteBuffer.allocate(5);
      return DropExplorer.scenario(duplex.near().writeAll(source))
          .step("read", () -> duplex.far().tryRead(got))
          .step("read", () -> duplex.far().tryRead(got))
          .check(end -> {
            duplex.far().tryRead(got);
            while (source.hasRemaining()) {
              duplex.near().tryWrite(source);
              duplex.far().tryRead(got);
            }
            assertThat(got.array()).containsExactly(1, 2, 3, 4, 5);
          });
    });
  }
}
