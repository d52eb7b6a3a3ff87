package dev.blitz.io.bytes.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.bytes.BufferedByteReader;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.Decoder;
import dev.blitz.io.bytes.Duplex;
import dev.blitz.io.bytes.Encoder;
import dev.blitz.io.bytes.FrameReader;
import dev.blitz.io.bytes.FrameWriter;
import dev.blitz.io.bytes.TooLongException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@Strict
class CodecTest {
  private static final Context NOBODY = Context.of(() -> {});

  private static Duplex holding(String text) throws IOException {
    return holding(text.getBytes(UTF_8));
  }

  private static Duplex holding(byte... bytes) throws IOException {
    var duplex = Duplex.ofCapacity(Math.max(1, bytes.length));
    duplex.near().writeAll(ByteBuffer.wrap(bytes)).await();
    duplex.near().shutdown().await();
    return duplex;
  }

  private static byte[] written(ByteReader from) throws IOException {
    return BufferedByteReader.of(from).readToEnd(1 << 20).await();
  }

  // --- Lines ---

  @Test
  void lines_areALoop_thatEndsWithTheStream() throws Exception {
    try (var duplex = holding("one\n\ntwo\r\nlast")) {
      var seen = new ArrayList<String>();
      for (String line : Lines.of(duplex.far())) {
        seen.add(line);
      }
      assertThat(seen).containsExactly("one", "", "two", "last");
    }
  }

  @Test
  void aFailure_inTheLoop_isUnchecked_andTheNextLineCanBeRead() throws Exception {
    try (var duplex = holding("much too long\nok\n")) {
      var lines = Lines.codec().limit(4).reader(duplex.far());
      var loop = lines.iterator();
      assertThatThrownBy(loop::hasNext)
          .isInstanceOf(UncheckedIOException.class)
          .cause()
          .isInstanceOf(TooLongException.class)
          .hasMessageContaining("a line of more than 4 bytes");
      assertThat(loop.next()).isEqualTo("ok");
      assertThat(loop.hasNext()).isFalse();
      assertThatThrownBy(loop::next).isInstanceOf(java.util.NoSuchElementException.class);
      assertThat(lines.next().await()).isEmpty();
      assertThat(lines.hasEnded()).isTrue();
    }
  }

  @Test
  void charsets_areThoseWhoseLinesEndAsInAscii() throws Exception {
    try (var duplex = holding((byte) 0xe4, (byte) '\n')) {
      var lines = Lines.codec().charset(ISO_8859_1).reader(duplex.far());
      assertThat(lines.next().await()).contains("ä");
    }
    assertThatThrownBy(() -> Lines.codec().charset(UTF_16))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theReplacementCharacter_mayBeInALine() throws Exception {
    try (var duplex = holding("a\uFFFDb\n")) {
      assertThat(Lines.of(duplex.far()).next().await()).contains("a\uFFFDb");
    }
  }

  @Test
  void writtenLines_areRead_andOthersAreRefused() throws Exception {
    try (var duplex = Duplex.ofCapacity(100)) {
      var out = Lines.codec().limit(5).crlf().writer(duplex.near());
      out.write("eins").await();
      assertThatThrownBy(() -> out.write("zwei\n").await())
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> out.write("\r").await())
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> out.send("zu lang").await()).isInstanceOf(TooLongException.class);
      assertThat(duplex.far().tryRead(ByteBuffer.allocate(1))).isEqualTo(ByteReader.PENDING);
      out.send("zwei").await();
      out.shutdown().await();
      assertThatThrownBy(() -> out.write("drei").await()).isInstanceOf(IOException.class);
      assertThat(written(duplex.far())).isEqualTo("eins\r\nzwei\r\n".getBytes(UTF_8));
    }
  }

  @Test
  void aLine_droppedAnywhere_hasTakenNothing() {
    DropExplorer.explore(() -> {
      var duplex = Duplex.ofCapacity(16);
      var lines = Lines.of(duplex.far());
      return DropExplorer.scenario(lines.next())
          .step("he", () -> duplex.near().tryWrite(ByteBuffer.wrap("he".getBytes(UTF_8))))
          .step("llo", () -> duplex.near().tryWrite(ByteBuffer.wrap("llo\nyo".getBytes(UTF_8))))
          .step("u", () -> duplex.near().tryWrite(ByteBuffer.wrap("u\n".getBytes(UTF_8))))
          .check(end -> {
            var first = end.dropped() ? lines.next().await() : end.value();
            assertThat(first).contains("hello");
            assertThat(lines.next().await()).contains("you");
          });
    });
  }

  /** A line whose limit is far away arrives byte by byte: no byte is looked at again and again. */
  @Test
  void aLongLine_byteByByte_costsNoSquare() throws Exception {
    int length = 400_000;
    byte[] bytes = new byte[length + 1];
    Arrays.fill(bytes, (byte) 'x');
    bytes[length] = '\n';
    assertThat(Lines.of(new Pieces(bytes, 1, 1)).next().await().orElseThrow()).hasSize(length);
  }

  // --- Several formats in one stream ---

  @Test
  void aProtocol_goesOnBehindAFrame_inTheSameBuffer() throws Exception {
    try (var duplex = holding("length: 3\nabcdef\n")) {
      var in = BufferedByteReader.of(duplex.far());
      var lines = Lines.of(in);
      assertThat(lines.next().await()).contains("length: 3");
      assertThat(in.readExactly(3).await()).containsExactly('a', 'b', 'c');
      assertThat(lines.next().await()).contains("def");
    }
  }

  @Test
  void bytesThatSomebodyElseTook_areNotTakenForSeen() throws Exception {
    try (var duplex = Duplex.ofCapacity(16)) {
      var in = BufferedByteReader.of(duplex.far());
      var lines = Lines.of(in);
      duplex.near().tryWrite(ByteBuffer.wrap("abc".getBytes(UTF_8)));
      assertThat(lines.pollNext(NOBODY)).isNull();
      assertThat(lines.hasEnded()).isFalse();
      lines.forgetNext();
      in.skip(2).await();
      duplex.near().tryWrite(ByteBuffer.wrap("\nd\n".getBytes(UTF_8)));
      assertThat(lines.pollNext(NOBODY)).isEqualTo("c");
      assertThat(lines.pollNext(NOBODY)).isEqualTo("d");
    }
  }

  // --- Delimiters ---

  @Test
  void delimitedFrames_areWrittenAndRead() throws Exception {
    var codec = Delimited.by((byte) 1, (byte) 1, (byte) 2).limit(4);
    try (var duplex = Duplex.ofCapacity(100)) {
      var out = codec.writer(duplex.near());
      out.write(new byte[] {1, 2, 3}).await();
      out.write(new byte[0]).await();
      assertThatThrownBy(() -> out.write(new byte[5]).await()).isInstanceOf(TooLongException.class);
      assertThatThrownBy(() -> out.write(new byte[] {1, 1, 2}).await())
          .isInstanceOf(IllegalArgumentException.class);
      out.write(new byte[] {9, 1}).await();
      out.shutdown().await();
      var in = codec.reader(duplex.far());
      assertThat(in.next().await().orElseThrow()).containsExactly(1, 2, 3);
      assertThat(in.next().await().orElseThrow()).isEmpty();
      assertThat(in.next().await().orElseThrow()).containsExactly(9, 1);
    }
    assertThatThrownBy(Delimited::by).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> codec.limit(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  // --- Lengths ---

  @Test
  void framesWithALength_areWrittenAndRead_inEveryShape() throws Exception {
    byte[] kept = {7, 7, 0, 0, 0, 1, 2, 3};
    var plain = LengthDelimited.ofBytes(3).order(ByteOrder.LITTLE_ENDIAN).adjustment(-3);
    var withHeader = LengthDelimited.ofBytes(3).offset(2).keepHeader();
    try (var duplex = Duplex.ofCapacity(100)) {
      plain.writer(duplex.near()).send(new byte[] {9, 8}).await();
      withHeader.writer(duplex.near()).send(kept).await();
      duplex.near().shutdown().await();
      var in = BufferedByteReader.of(duplex.far());
      assertThat(plain.reader(in).next().await().orElseThrow()).containsExactly(9, 8);
      assertThat(withHeader.reader(in).next().await().orElseThrow())
          .containsExactly(7, 7, 0, 0, 3, 1, 2, 3);
      assertThat(plain.reader(in).next().await()).isEmpty();
    }
  }

  @Test
  void whatALengthCannotSay_isRefused() throws Exception {
    try (var duplex = Duplex.ofCapacity(1000)) {
      var small = LengthDelimited.ofBytes(1).writer(duplex.near());
      assertThatThrownBy(() -> small.write(new byte[256]).await())
          .isInstanceOf(TooLongException.class);
      var limited = LengthDelimited.ofBytes(4).limit(3).writer(duplex.near());
      assertThatThrownBy(() -> limited.write(new byte[4]).await())
          .isInstanceOf(TooLongException.class);
      var negative = LengthDelimited.ofBytes(4).adjustment(5).writer(duplex.near());
      assertThatThrownBy(() -> negative.write(new byte[4]).await()).isInstanceOf(Exception.class);
      var headless = LengthDelimited.ofBytes(4).keepHeader().writer(duplex.near());
      assertThatThrownBy(() -> headless.write(new byte[3]).await())
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> LengthDelimited.ofBytes(4).offset(1).encoder())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("keepHeader");
    for (int size : new int[] {0, 9}) {
      assertThatThrownBy(() -> LengthDelimited.ofBytes(size))
          .isInstanceOf(IllegalArgumentException.class);
    }
    var format = LengthDelimited.ofBytes(4);
    assertThatThrownBy(() -> format.limit(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> format.limit(Integer.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> format.offset(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aFrameOverTheLimit_isSkipped_andAMalformedOneEndsTheReader() throws Exception {
    try (var duplex = holding(new byte[] {5, 1, 2, 3, 4, 5, 1, 42, 0, 9})) {
      var in = LengthDelimited.ofBytes(1).limit(3).adjustment(0).reader(duplex.far());
      assertThatThrownBy(() -> in.next().await())
          .isInstanceOf(TooLongException.class)
          .hasMessageContaining("a body of 5 bytes, and the limit is 3");
      assertThat(in.next().await().orElseThrow()).containsExactly(42);
    }
    try (var duplex = holding(new byte[] {0, 9})) {
      var in = LengthDelimited.ofBytes(1).adjustment(-1).reader(duplex.far());
      assertThatThrownBy(() -> in.next().await()).hasMessageContaining("malformed");
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> in.next().await())
            .isInstanceOf(IOException.class)
            .hasMessageContaining("no frame can be found after")
            .hasStackTraceContaining("malformed");
      }
    }
  }

  /** A peer that promises a gigabyte and sends little costs little. */
  @Test
  void memory_isTakenForWhatHasCome_notForWhatIsPromised() throws Exception {
    try (var duplex = Duplex.ofCapacity(16)) {
      var in = BufferedByteReader.of(duplex.far());
      var frames = LengthDelimited.ofBytes(4).limit(1 << 30).reader(in);
      duplex.near().tryWrite(ByteBuffer.allocate(8).putInt(1 << 30).putInt(7).flip());
      assertThat(frames.pollNext(NOBODY)).isNull();
      assertThat(in.buffered().capacity()).isEqualTo(8192);
    }
  }

  // --- Decoders and encoders of others ---

  private record Point(int x, int y) {}

  private static final Decoder<Point> POINTS =
      bytes -> bytes.remaining() < 8 ? null : new Point(bytes.getInt(), bytes.getInt());
  private static final Encoder<Point> POINT_BYTES =
      (point, out) -> out.putInt(point.x).putInt(point.y);

  @Test
  void aCodecOfYourOwn_isTwoLambdas() throws Exception {
    try (var duplex = Duplex.ofCapacity(100)) {
      FrameWriter<Point> out = FrameWriter.of(duplex.near(), POINT_BYTES);
      out.write(new Point(1, -2)).await();
      out.write(new Point(3, 4)).await();
      out.shutdown().await();
      var in = FrameReader.of(duplex.far(), POINTS);
      assertThat(in).containsExactly(new Point(1, -2), new Point(3, 4));
    }
  }

  @Test
  void aFrameThatIsCut_isTold() throws Exception {
    try (var duplex = holding(new byte[11])) {
      var in = FrameReader.of(duplex.far(), POINTS);
      assertThat(in.next().await()).contains(new Point(0, 0));
      assertThatThrownBy(() -> in.next().await())
          .isInstanceOf(java.io.EOFException.class)
          .hasMessageContaining("in the middle of a frame, after 3 bytes");
    }
  }

  @Test
  void aDecoderThatThrows_hasUsedNothing() throws Exception {
    int[] calls = {0};
    Decoder<Integer> moody =
        bytes -> {
          int value = bytes.getInt();
          return switch (calls[0]++) {
            case 0 -> throw new IllegalStateException("mood");
            case 1 -> throw new StackOverflowError();
            default -> value;
          };
        };
    try (var duplex = holding(new byte[] {0, 0, 0, 7})) {
      var in = FrameReader.of(duplex.far(), moody);
      assertThatThrownBy(() -> in.next().await()).hasMessage("mood");
      assertThatThrownBy(() -> in.next().await()).isInstanceOf(StackOverflowError.class);
      assertThat(in.next().await()).contains(7);
    }
  }

  @Test
  void aDecoderThatNeverEnds_isStoppedByItsLimit() throws Exception {
    Decoder<String> greedy =
        new Decoder<>() {
          @Override
          public @Nullable String decode(ByteBuffer bytes) {
            return null;
          }

          @Override
          public int limit() {
            return 10;
          }
        };
    try (var duplex = holding(new byte[11])) {
      var in = FrameReader.of(duplex.far(), greedy);
      assertThatThrownBy(() -> in.next().await()).isInstanceOf(TooLongException.class);
      assertThatThrownBy(() -> in.next().await()).hasMessageContaining("no frame can be found");
    }
  }

  @Test
  void aFrameOfNothing_isAMistake() throws Exception {
    try (var duplex = holding(new byte[1])) {
      var in = FrameReader.of(duplex.far(), bytes -> "again");
      assertThatThrownBy(() -> in.next().await())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("a frame of no bytes");
    }
  }

  @Test
  void anEncoderThatThrows_hasWrittenNothing() throws Exception {
    Encoder<Integer> moody =
        (value, out) -> {
          out.put(value).put(new byte[10_000]).put(ByteBuffer.allocate(3)).putShort(1).putLong(2);
          if (value == 0) {
            throw new OutOfMemoryError("made up");
          }
        };
    try (var duplex = Duplex.ofCapacity(100_000)) {
      FrameWriter<Integer> out = FrameWriter.of(duplex.near(), moody);
      assertThatThrownBy(() -> out.write(0).await()).isInstanceOf(OutOfMemoryError.class);
      out.write(1).await();
      assertThatThrownBy(() -> out.write(0).await()).isInstanceOf(OutOfMemoryError.class);
      out.shutdown().await();
      assertThat(written(duplex.far())).hasSize(10_014).startsWith(1, 0);
    }
  }

  @Test
  void aSentFrame_droppedAnywhere_goesOutOnceOrNotAtAll() {
    DropExplorer.explore(() -> {
      var duplex = Duplex.ofCapacity(3);
      FrameWriter<Point> out = FrameWriter.of(duplex.near(), POINT_BYTES);
      var got = ByteBuffer.allocate(100);
      return DropExplorer.scenario(out.send(new Point(1, 2)))
          .step("read", () -> duplex.far().tryRead(got))
          .step("read", () -> duplex.far().tryRead(got))
          .step("read", () -> duplex.far().tryRead(got))
          .check(end -> {
            var next = out.send(new Point(3, 4));
            while (next.poll(NOBODY) == null) {
              duplex.far().tryRead(got);
            }
            duplex.far().tryRead(got);
            int frames = got.flip().remaining() / 8;
            assertThat(got.remaining() % 8).isZero();
            var points = new ArrayList<Point>();
            for (int i = 0; i < frames; i++) {
              points.add(new Point(got.getInt(), got.getInt()));
            }
            if (!end.dropped() || frames == 2) {
              assertThat(points).isEqualTo(List.of(new Point(1, 2), new Point(3, 4)));
            } else {
              assertThat(points).isEqualTo(List.of(new Point(3, 4)));
            }
          });
    });
  }

  @Test
  void frames_waitUntilThereAreEnough_orAFlush() throws Exception {
    try (var duplex = Duplex.ofCapacity(100_000)) {
      FrameWriter<Point> out = FrameWriter.of(duplex.near(), POINT_BYTES);
      for (int i = 0; i < 1024; i++) {
        assertThat(out.pollWrite(NOBODY, new Point(i, i))).isTrue();
      }
      assertThat(duplex.far().tryRead(ByteBuffer.allocate(1))).isEqualTo(ByteReader.PENDING);
      assertThat(out.pollWrite(NOBODY, new Point(9, 9))).isTrue();
      assertThat(duplex.far().tryRead(ByteBuffer.allocate(10_000))).isEqualTo(8192);
      assertThat(out.pollFlush(NOBODY)).isTrue();
      assertThat(duplex.far().tryRead(ByteBuffer.allocate(10_000))).isEqualTo(8);
      assertThat(out.pollShutdown(NOBODY)).isTrue();
    }
  }

  @Test
  void aSecondOperation_isRefused() throws Exception {
    try (var duplex = Duplex.ofCapacity(1)) {
      var in = Lines.of(duplex.far());
      var first = in.next();
      assertThat(first.poll(NOBODY)).isNull();
      assertThatThrownBy(() -> in.next().await()).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> in.pollNext(NOBODY)).isInstanceOf(IllegalStateException.class);
      first.drop();
      var out = Lines.codec().writer(duplex.near());
      var sending = out.send("abc");
      assertThat(sending.poll(NOBODY)).isNull();
      assertThatThrownBy(() -> out.write("d").await()).isInstanceOf(IllegalStateException.class);
      sending.drop();
      out.forgetWrite();
    }
  }

  @Test
  void lines_areASource() throws Exception {
    try (var duplex = holding("3\n1\n2\n")) {
      int sum = Lines.of(duplex.far()).map(Integer::parseInt).take(2).fold(0, Integer::sum).await();
      assertThat(sum).isEqualTo(4);
    }
  }

  @Test
  void close_endsAWait_alsoOverAReaderThatCannotBeClosed() throws Exception {
    try (var duplex = Duplex.ofCapacity(1)) {
      ByteReader view =
          new ByteReader() {
            @Override
            public int pollRead(Context cx, ByteBuffer target) throws IOException {
              return duplex.far().pollRead(cx, target);
            }

            @Override
            public void forgetRead() {
              duplex.far().forgetRead();
            }
          };
      for (ByteReader from : List.of(view, duplex.far())) {
        var lines = Lines.of(from);
        var wakes = new AtomicInteger();
        var next = lines.next();
        assertThat(next.poll(Context.of(wakes::incrementAndGet))).isNull();
        lines.close();
        assertThat(wakes.get()).isPositive();
        assertThat(next.poll(NOBODY)).isEmpty();
        assertThat(lines.hasEnded()).isTrue();
        assertThat(lines.pollNext(NOBODY)).isNull();
        assertThat(lines).isEmpty();
      }
    }
  }

  @Test
  void close_closesTheStream() throws Exception {
    try (var duplex = Duplex.ofCapacity(1)) {
      Lines.of(duplex.far()).close();
      assertThatThrownBy(() -> duplex.far().flush().await())
          .isInstanceOf(ClosedChannelException.class);
    }
  }
}
