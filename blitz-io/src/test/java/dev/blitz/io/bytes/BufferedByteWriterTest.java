package dev.blitz.io.bytes;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

@Strict
class BufferedByteWriterTest {
  private static final Context NOBODY = Context.of(() -> {});

  private static byte[] read(ByteReader from) throws IOException {
    var target = ByteBuffer.allocate(1 << 16);
    while (from.tryRead(target) > 0) {
      // go on
    }
    return Arrays.copyOf(target.array(), target.position());
  }

  @Test
  void numbers_areWrittenInBothOrders() throws Exception {
    for (ByteOrder order : new ByteOrder[] {BIG_ENDIAN, LITTLE_ENDIAN}) {
      try (var duplex = Duplex.ofCapacity(64)) {
        var out = BufferedByteWriter.ofCapacity(8, duplex.near());
        out.writeByte(-3).await();
        out.writeShort(-12345, order).await();
        out.writeInt(-1234567890, order).await();
        out.writeLong(-1234567890123456789L, order).await();
        out.writeFloat(-1.5e-7f, order).await();
        out.writeDouble(Math.PI, order).await();
        out.flush().await();
        var expected =
            ByteBuffer.allocate(27)
                .order(order)
                .put((byte) -3)
                .putShort((short) -12345)
                .putInt(-1234567890)
                .putLong(-1234567890123456789L)
                .putFloat(-1.5e-7f)
                .putDouble(Math.PI);
        assertThat(read(duplex.far())).isEqualTo(expected.array());
      }
    }
  }

  @Test
  void theOrder_isBigEndianByDefault_andTextIsUtf8() throws Exception {
    try (var duplex = Duplex.ofCapacity(64)) {
      var out = BufferedByteWriter.of(duplex.near());
      out.writeShort(1).await();
      out.writeInt(2).await();
      out.writeLong(3).await();
      out.writeFloat(1).await();
      out.writeDouble(1).await();
      out.writeText("ä").await();
      out.writeText("ä", UTF_16LE).await();
      out.flush().await();
      var expected =
          ByteBuffer.allocate(30)
              .putShort((short) 1)
              .putInt(2)
              .putLong(3)
              .putFloat(1)
              .putDouble(1)
              .put("ä".getBytes(UTF_8))
              .put("ä".getBytes(UTF_16LE));
      assertThat(read(duplex.far())).isEqualTo(expected.array());
    }
  }

  @Test
  void nothingGoesOut_beforeTheBufferIsFull_orAFlush() throws Exception {
    try (var duplex = Duplex.ofCapacity(64)) {
      var out = BufferedByteWriter.ofCapacity(8, duplex.near());
      out.writeLong(7).await();
      assertThat(read(duplex.far())).isEmpty();
      out.writeByte(1).await();
      assertThat(read(duplex.far())).hasSize(8);
      out.flush().await();
      assertThat(read(duplex.far())).hasSize(1);
      out.flush().await();
      assertThat(read(duplex.far())).isEmpty();
    }
  }

  @Test
  void shutdown_passesTheRestOn_andThenThereAreNoWrites() throws Exception {
    try (var duplex = Duplex.ofCapacity(64)) {
      var out = BufferedByteWriter.of(duplex.near());
      out.writeInt(7).await();
      out.shutdown().await();
      out.shutdown().await();
      assertThat(read(duplex.far())).hasSize(4);
      assertThat(duplex.far().tryRead(ByteBuffer.allocate(1))).isEqualTo(ByteReader.EOF);
      assertThatThrownBy(() -> out.writeInt(7).await())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("shut down");
      assertThatThrownBy(() -> out.tryWrite(ByteBuffer.allocate(1)))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void writes_ofEverySize_arriveInOrder() throws Exception {
    byte[] data = new byte[5_000];
    var random = new SplittableRandom(6);
    random.nextBytes(data);
    try (var duplex = Duplex.ofCapacity(data.length)) {
      var out = BufferedByteWriter.ofCapacity(11, duplex.near());
      var source = ByteBuffer.wrap(data);
      while (source.hasRemaining()) {
        int size = Math.min(source.remaining(), random.nextInt(1, 30));
        var piece = source.slice(source.position(), size);
        switch (random.nextInt(4)) {
          case 0 -> out.writeAll(piece).await();
          case 1 -> size = out.write(piece).await();
          case 2 ->
              out.writeAllVectored(piece.slice(0, size / 2), piece.position(size / 2)).await();
          default -> {
            size = Math.min(size, 11);
            assertThat(out.pollRoom(NOBODY, size)).isTrue();
            out.room().put(piece.limit(size));
          }
        }
        source.position(source.position() + size);
        if (random.nextInt(5) == 0) {
          out.flush().await();
        }
      }
      out.flush().await();
      assertThat(read(duplex.far())).isEqualTo(data);
    }
  }

  @Test
  void aNumber_droppedAnywhere_isWrittenAsAWholeOrNotAtAll() {
    DropExplorer.explore(() -> {
      var duplex = Duplex.ofCapacity(3);
      var out = BufferedByteWriter.ofCapacity(8, duplex.near());
      out.room().putLong(0x0102030405060708L);
      var got = ByteBuffer.allocate(64);
      return DropExplorer.scenario(out.writeInt(0x090a0b0c))
          .step("read", () -> duplex.far().tryRead(got))
          .step("read", () -> duplex.far().tryRead(got))
          .step("read", () -> duplex.far().tryRead(got))
          .check(end -> {
            var flush = out.flush();
            while (flush.poll(NOBODY) == null) {
              duplex.far().tryRead(got);
            }
            duplex.far().tryRead(got);
            assertThat(got.position()).isEqualTo(end.dropped() ? 8 : 12);
            for (int i = 0; i < got.position(); i++) {
              assertThat(got.get(i)).isEqualTo((byte) (i + 1));
            }
          });
    });
  }

  @Test
  void aFlush_droppedAnywhere_losesAndRepeatsNothing() {
    DropExplorer.explore(() -> {
      var duplex = Duplex.ofCapacity(3);
      var out = BufferedByteWriter.ofCapacity(8, duplex.near());
      out.room().putLong(0x0102030405060708L);
      var got = ByteBuffer.allocate(64);
      return DropExplorer.scenario(out.shutdown())
          .step("read", () -> duplex.far().tryRead(got))
          .step("read", () -> duplex.far().tryRead(got))
          .check(end -> {
            var shutdown = out.shutdown();
            while (shutdown.poll(NOBODY) == null) {
              duplex.far().tryRead(got);
            }
            duplex.far().tryRead(got);
            assertThat(got.flip().getLong()).isEqualTo(0x0102030405060708L);
            assertThat(got.hasRemaining()).isFalse();
            assertThat(duplex.far().tryRead(got.clear())).isEqualTo(ByteReader.EOF);
          });
    });
  }

  @Test
  void aSecondWrite_isRefused_untilTheFirstHasEnded() throws Exception {
    try (var duplex = Duplex.ofCapacity(1)) {
      var out = BufferedByteWriter.ofCapacity(8, duplex.near());
      out.writeLong(1).await();
      var first = out.flush();
      assertThat(first.poll(NOBODY)).isNull();
      assertThatThrownBy(() -> out.writeByte(1).await())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("another write");
      assertThatThrownBy(() -> out.pollRoom(NOBODY, 1)).isInstanceOf(IllegalStateException.class);
      first.drop();
      assertThat(out.tryWrite(ByteBuffer.allocate(1))).isEqualTo(ByteWriter.PENDING);
    }
  }

  @Test
  void tooSmallACapacity_isRefused_andTooMuchRoom() {
    var duplex = Duplex.ofCapacity(1);
    assertThatThrownBy(() -> BufferedByteWriter.ofCapacity(7, duplex.near()))
        .isInstanceOf(IllegalArgumentException.class);
    var out = BufferedByteWriter.ofCapacity(8, duplex.near());
    assertThatThrownBy(() -> out.pollRoom(NOBODY, 9)).isInstanceOf(IllegalArgumentException.class);
  }

  /** A kind that takes bytes of a descriptor, by the moves it is given, and notes what came. */
  private static final class Taker extends GuardedStream {
    private final DirectInput.Move move;
    final StringBuilder written = new StringBuilder();

    Taker(DirectInput.Move move) {
      this.move = move;
    }

    @Override
    protected int doRead(Context cx, ByteBuffer target) {
      return EOF;
    }

    @Override
    protected int doWrite(Context cx, ByteBuffer source) {
      int n = source.remaining();
      written.append(UTF_8.decode(source));
      return n;
    }

    @Override
    protected boolean doFlush(Context cx) {
      return true;
    }

    @Override
    protected boolean doShutdown(Context cx) {
      return true;
    }

    @Override
    protected long doTransfer(Context cx, DirectInput input) throws IOException {
      long n = input.move(move);
      return n == 0 ? BY_MEMORY : n;
    }

    @Override
    public void shutdownInput() {}

    @Override
    public void forgetRead() {}

    @Override
    public void forgetWrite() {}

    @Override
    public void close() {}
  }

  private static DirectInput input(int present) {
    return move -> move.make(7, 0, present);
  }

  @Test
  void whatWaits_goesBeforeWhatIsMoved_alsoPieceByPiece() throws Exception {
    var heads = new StringBuilder();
    var room = new int[] {2};
    var stream =
        new Taker(
            new DirectInput.Move() {
              @Override
              public long make(int descriptor, long position, int most) {
                return most - 1L;
              }

              @Override
              public long makeBehind(ByteBuffer before, int descriptor, long position, int most) {
                for (; room[0] > 0 && before.hasRemaining(); room[0]--) {
                  heads.append((char) before.get());
                }
                return before.hasRemaining()
                    ? ByteWriter.PENDING
                    : make(descriptor, position, most);
              }
            });
    var out = BufferedByteWriter.ofCapacity(8, stream);
    out.writeText("head").await();
    assertThat(out.doTransfer(NOBODY, input(7))).isEqualTo(GuardedStream.BY_MEMORY);
    assertThat(heads).as("too little to be moved").isEmpty();
    assertThat(out.doTransfer(NOBODY, input(9))).isEqualTo(ByteWriter.PENDING);
    assertThat(heads.toString()).isEqualTo("he");
    room[0] = 9;
    assertThat(out.doTransfer(NOBODY, input(9))).isEqualTo(8);
    assertThat(out.doTransfer(NOBODY, input(20))).as("nothing waits").isEqualTo(19);
    out.flush().await();
    assertThat(heads.toString()).isEqualTo("head");
    assertThat(stream.written).isEmpty();
  }

  @Test
  void aMoveThatIsRefused_isMadeOnce() throws Exception {
    for (String waits : new String[] {"", "head"}) {
      var moves = new AtomicInteger();
      var stream =
          new Taker(
              new DirectInput.Move() {
                @Override
                public long make(int descriptor, long position, int most) {
                  moves.incrementAndGet();
                  return 0;
                }

                @Override
                public long makeBehind(ByteBuffer before, int descriptor, long position, int most) {
                  before.position(before.limit());
                  return make(descriptor, position, most);
                }
              });
      var out = BufferedByteWriter.ofCapacity(8, stream);
      out.writeText(waits).await();
      assertThat(out.doTransfer(NOBODY, input(9))).isEqualTo(GuardedStream.BY_MEMORY);
      assertThat(moves).as("behind <%s>", waits).hasValue(1);
    }
  }

  @Test
  void whatWaits_isWrittenFirst_toAKindThatDoesNotTakeBoth() throws Exception {
    var taken = new StringBuilder();
    var streams = new Taker[1];
    streams[0] =
        new Taker((descriptor, position, most) -> {
          taken.append(streams[0].written);
          return most;
        });
    var out = BufferedByteWriter.ofCapacity(8, streams[0]);
    out.writeText("head").await();
    assertThat(out.doTransfer(NOBODY, input(9))).isEqualTo(9);
    assertThat(taken.toString()).as("written by then").isEqualTo("head");
    assertThat(streams[0].written.toString()).isEqualTo("head");
  }
}
