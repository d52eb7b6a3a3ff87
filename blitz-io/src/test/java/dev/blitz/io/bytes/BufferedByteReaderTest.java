package dev.blitz.io.bytes;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.testkit.Strict;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

@Strict
class BufferedByteReaderTest {
  private static final Context NOBODY = Context.of(() -> {});

  /** All kinds of numbers, in both orders. */
  private static ByteBuffer numbers(ByteOrder order) {
    return ByteBuffer.allocate(64)
        .order(order)
        .put((byte) -3)
        .put((byte) 253)
        .putShort((short) -12345)
        .putShort((short) 54321)
        .putInt(-1234567890)
        .putLong(-1234567890123456789L)
        .putFloat(-1.5e-7f)
        .putDouble(Math.PI)
        .flip();
  }

  @Test
  void numbers_areReadInBothOrders_whateverTheCapacity() throws Exception {
    for (ByteOrder order : new ByteOrder[] {BIG_ENDIAN, LITTLE_ENDIAN}) {
      for (int capacity : new int[] {1, 2, 3, 7, 8, 64}) {
        try (var duplex = Duplex.ofCapacity(64)) {
          duplex.near().writeAll(numbers(order)).await();
          var in = BufferedByteReader.ofCapacity(capacity, duplex.far());
          assertThat(in.readByte().await()).isEqualTo((byte) -3);
          assertThat(in.readUnsignedByte().await()).isEqualTo(253);
          assertThat(in.readShort(order).await()).isEqualTo((short) -12345);
          assertThat(in.readUnsignedShort(order).await()).isEqualTo(54321);
          assertThat(in.readInt(order).await()).isEqualTo(-1234567890);
          assertThat(in.readLong(order).await()).isEqualTo(-1234567890123456789L);
          assertThat(in.readFloat(order).await()).isEqualTo(-1.5e-7f);
          assertThat(in.readDouble(order).await()).isEqualTo(Math.PI);
        }
      }
    }
  }

  @Test
  void theOrder_isBigEndianByDefault() throws Exception {
    try (var duplex = Duplex.ofCapacity(64)) {
      duplex.near().writeAll(numbers(BIG_ENDIAN)).await();
      var in = BufferedByteReader.of(duplex.far());
      in.skip(2).await();
      assertThat(in.readShort().await()).isEqualTo((short) -12345);
      assertThat(in.readUnsignedShort().await()).isEqualTo(54321);
      assertThat(in.readInt().await()).isEqualTo(-1234567890);
      assertThat(in.readLong().await()).isEqualTo(-1234567890123456789L);
      assertThat(in.readFloat().await()).isEqualTo(-1.5e-7f);
      assertThat(in.readDouble().await()).isEqualTo(Math.PI);
    }
  }

  @Test
  void anEndInTheMiddle_takesNothing() throws Exception {
    try (var duplex = Duplex.ofCapacity(64)) {
      duplex.near().writeAll(ByteBuffer.wrap(new byte[] {0, 7, 9})).await();
      duplex.near().shutdown().await();
      var in = BufferedByteReader.of(duplex.far());
      assertThatThrownBy(() -> in.readInt().await())
          .isInstanceOf(EOFException.class)
          .hasMessageContaining("3 of 4 bytes");
      assertThatThrownBy(() -> in.readExactly(4).await()).isInstanceOf(EOFException.class);
      assertThat(in.readShort().await()).isEqualTo((short) 7);
      assertThat(in.readToEnd(10).await()).containsExactly(9);
      assertThat(in.readToEnd(10).await()).isEmpty();
      assertThat(in.read(ByteBuffer.allocate(1)).await()).isEqualTo(ByteReader.EOF);
      assertThatThrownBy(() -> in.readByte().await()).isInstanceOf(EOFException.class);
      assertThatThrownBy(() -> in.skip(1).await()).isInstanceOf(EOFException.class);
    }
  }

  @Test
  void readToEnd_beyondItsLimit_saysSo_andLeavesAllToBeRead() throws Exception {
    try (var duplex = Duplex.ofCapacity(64)) {
      duplex.near().writeAll(ByteBuffer.allocate(11)).await();
      duplex.near().shutdown().await();
      var in = BufferedByteReader.ofCapacity(2, duplex.far());
      assertThatThrownBy(() -> in.readToEnd(10).await())
          .isInstanceOfSatisfying(TooLongException.class, e -> assertThat(e.limit()).isEqualTo(10));
      assertThat(in.readToEnd(11).await()).hasSize(11);
    }
  }

  @Test
  void reads_ofEverySize_giveTheSameBytes() throws Exception {
    byte[] data = new byte[5_000];
    var random = new SplittableRandom(5);
    random.nextBytes(data);
    try (var duplex = Duplex.ofCapacity(data.length)) {
      duplex.near().writeAll(ByteBuffer.wrap(data)).await();
      duplex.near().shutdown().await();
      var in = BufferedByteReader.ofCapacity(7, duplex.far());
      var all = ByteBuffer.allocate(data.length);
      while (all.hasRemaining()) {
        int size = Math.min(all.remaining(), random.nextInt(1, 20));
        switch (random.nextInt(4)) {
          case 0 -> all.put(in.readExactly(size).await());
          case 1 -> {
            var piece =
                random.nextBoolean() ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
            assertThat(in.read(piece).await()).isPositive();
            all.put(piece.flip());
          }
          case 2 -> {
            in.skip(size).await();
            all.put(data, all.position(), size);
          }
          default -> {
            assertThat(in.pollFill(NOBODY, size)).isGreaterThanOrEqualTo(size);
            var bytes = in.buffered();
            all.put(bytes.slice(bytes.position(), size));
            bytes.position(bytes.position() + size);
          }
        }
      }
      assertThat(all.array()).isEqualTo(data);
      assertThat(in.pollFill(NOBODY, 1)).isEqualTo(ByteReader.EOF);
    }
  }

  @Test
  void aNumber_droppedAnywhere_hasTakenNothing() {
    int runs =
        DropExplorer.explore(() -> {
          var duplex = Duplex.ofCapacity(8);
          var in = BufferedByteReader.ofCapacity(2, duplex.far());
          return DropExplorer.scenario(in.readInt())
              .step("1", () -> duplex.near().tryWrite(ByteBuffer.wrap(new byte[] {1})))
              .step("23", () -> duplex.near().tryWrite(ByteBuffer.wrap(new byte[] {2, 3})))
              .step("4", () -> duplex.near().tryWrite(ByteBuffer.wrap(new byte[] {4})))
              .check(end -> {
                assertThat(end.failure()).isNull();
                int value = end.dropped() ? in.readInt().await() : end.value();
                assertThat(value).isEqualTo(0x01020304);
                assertThat(in.tryRead(ByteBuffer.allocate(1))).isEqualTo(ByteReader.PENDING);
                duplex.close();
              });
        });
    assertThat(runs).isGreaterThan(100);
  }

  @Test
  void aSecondRead_isRefused_untilTheFirstHasEnded() throws Exception {
    try (var duplex = Duplex.ofCapacity(8)) {
      var in = BufferedByteReader.of(duplex.far());
      var first = in.readInt();
      assertThat(first.poll(NOBODY)).isNull();
      for (var second : Arrays.asList(in.readByte(), in.skip(1), in.read(ByteBuffer.allocate(1)))) {
        assertThatThrownBy(() -> second.poll(NOBODY))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("another read");
      }
      assertThatThrownBy(() -> in.pollFill(NOBODY, 1)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> in.tryRead(ByteBuffer.allocate(1)))
          .isInstanceOf(IllegalStateException.class);
      first.drop();
      duplex.near().tryWrite(ByteBuffer.wrap(new byte[] {5}));
      assertThat(in.readByte().await()).isEqualTo((byte) 5);
    }
  }

  @Test
  void vectors_areFilledFromTheBuffer() throws Exception {
    try (var duplex = Duplex.ofCapacity(8)) {
      duplex.near().tryWrite(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      var in = BufferedByteReader.of(duplex.far());
      assertThat(in.readByte().await()).isEqualTo((byte) 1);
      var second = ByteBuffer.allocate(8);
      assertThat(in.readVectored(ByteBuffer.allocate(0), second).await()).isEqualTo(2);
    }
  }

  @Test
  void close_closesTheStreamBelow() throws Exception {
    try (var duplex = Duplex.ofCapacity(8)) {
      BufferedByteReader.of(duplex.far()).close();
      assertThatThrownBy(() -> duplex.far().flush().await())
          .isInstanceOf(ClosedChannelException.class);
    }
  }

  @Test
  void aReaderThatReadsNothing_isFoundOut() {
    ByteReader broken =
        new ByteReader() {
          @Override
          public int pollRead(Context cx, ByteBuffer target) {
            return 0;
          }

          @Override
          public void forgetRead() {}
        };
    assertThatThrownBy(() -> BufferedByteReader.of(broken).readInt().await())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("has read nothing");
  }

  @Test
  void aBurst_growsTheBuffer_whichThenGoesBackToItsSize() {
    var buffer = new InputBuffer(4, 4);
    for (int i = 0; i < 1_000; i++) {
      buffer.room().put((byte) i);
    }
    assertThat(buffer.size()).isEqualTo(1_000);
    assertThat(buffer.bytes().capacity()).isEqualTo(1_024);
    for (int i = 0; i < 1_000; i++) {
      assertThat(buffer.bytes().get()).isEqualTo((byte) i);
    }
    for (int i = 0; i < 20; i++) {
      buffer.room().put((byte) i);
      assertThat(buffer.bytes().get()).isEqualTo((byte) i);
    }
    assertThat(buffer.bytes().capacity()).isEqualTo(4);
  }

  @Test
  void readsThatFillTheBuffer_makeItLarger_upToTheMost() {
    var buffer = new InputBuffer(4, 60);
    for (int i = 0; i < 20; i++) {
      var room = buffer.room();
      room.position(room.limit());
      buffer.bytes().position(buffer.bytes().limit());
    }
    assertThat(buffer.bytes().capacity()).isEqualTo(60);
  }
}
