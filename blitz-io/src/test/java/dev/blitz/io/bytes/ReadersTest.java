package dev.blitz.io.bytes;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.DropExplorer;
import dev.blitz.testkit.Strict;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Readers that are made of readers. */
@Strict
class ReadersTest {
  private static final Context NOBODY = Context.of(() -> {});

  private static ByteBuffer text(String text) {
    return ByteBuffer.wrap(text.getBytes(US_ASCII));
  }

  private static ByteReader of(String text) {
    return Bytes.reader(text(text));
  }

  private static String all(ByteReader from) throws IOException {
    return new String(BufferedByteReader.ofCapacity(3, from).readToEnd(1 << 20).await(), US_ASCII);
  }

  @Test
  void take_ofAllThereIs_overflowsNothing() throws Exception {
    var reader = Bytes.reader(ByteBuffer.wrap(new byte[] {1, 2, 3})).take(Long.MAX_VALUE);
    var target = ByteBuffer.allocate(8).position(5);
    assertThat(reader.read(target).await()).isEqualTo(3);
    assertThat(target.limit()).isEqualTo(8);
  }

  @Test
  void take_endsAfterItsBytes_andLeavesTheOthers() throws Exception {
    ByteReader from = of("abcdefgh");
    ByteReader three = from.take(3);
    var target = ByteBuffer.allocate(8);
    assertThat(three.read(target).await()).isEqualTo(3);
    assertThat(target.limit()).isEqualTo(8);
    assertThat(three.read(target).await()).isEqualTo(ByteReader.EOF);
    assertThat(three.read(ByteBuffer.allocate(0)).await()).isZero();
    assertThat(from.take(0).read(target).await()).isEqualTo(ByteReader.EOF);
    assertThat(all(from.take(Long.MAX_VALUE))).isEqualTo("defgh");
    assertThatThrownBy(() -> from.take(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void take_ofAFailure_putsTheLimitBack() {
    try (var duplex = Duplex.ofCapacity(1)) {
      duplex.near().close();
      var target = ByteBuffer.allocate(8);
      ByteReader three = duplex.near().take(3);
      assertThatThrownBy(() -> three.read(target).await()).isInstanceOf(IOException.class);
      assertThat(target.limit()).isEqualTo(8);
    }
  }

  @Test
  void chain_readsOneAfterTheOther() throws Exception {
    assertThat(all(of("abc").chain(of("")).chain(of("de")).chain(of("f").take(1))))
        .isEqualTo("abcdef");
  }

  @Test
  void chain_forgetsTheOneThatIsRead() throws Exception {
    try (var first = Duplex.ofCapacity(4);
        var second = Duplex.ofCapacity(4)) {
      ByteReader both = first.far().chain(second.far());
      assertThat(both.tryRead(ByteBuffer.allocate(4))).isEqualTo(ByteReader.PENDING);
      first.near().shutdown().await();
      assertThat(both.tryRead(ByteBuffer.allocate(4))).isEqualTo(ByteReader.PENDING);
      second.near().tryWrite(text("x"));
      assertThat(both.tryRead(ByteBuffer.allocate(4))).isOne();
    }
  }

  @Test
  void tee_writesWhatIsRead_andFlushes() throws Exception {
    try (var copy = Duplex.ofCapacity(100);
        var from = Duplex.ofCapacity(100)) {
      var tee = from.far().tee(BufferedByteWriter.of(copy.near()));
      from.near().tryWrite(text("hello"));
      var target = ByteBuffer.allocate(3);
      assertThat(tee.read(target).await()).isEqualTo(3);
      assertThat(tee.read(target.clear()).await()).isEqualTo(2);
      assertThat(copy.far().tryRead(ByteBuffer.allocate(8))).isEqualTo(ByteReader.PENDING);
      assertThat(tee.tryRead(target.clear())).isEqualTo(ByteReader.PENDING);
      assertThat(copy.far().tryRead(ByteBuffer.allocate(8))).isEqualTo(5);
      from.near().tryWrite(text("bye"));
      from.near().shutdown().await();
      assertThat(all(tee)).isEqualTo("bye");
      assertThat(copy.far().tryRead(ByteBuffer.allocate(8))).isEqualTo(3);
    }
  }

  @Test
  void tee_droppedAnywhere_writesAndReadsEachByteOnce() {
    DropExplorer.explore(() -> {
      var copy = Duplex.ofCapacity(2);
      var tee = of("abcde").tee(copy.near());
      var target = ByteBuffer.allocate(5);
      var written = ByteBuffer.allocate(10);
      return DropExplorer.scenario(tee.readFully(target))
          .step("take", () -> copy.far().tryRead(written))
          .step("take", () -> copy.far().tryRead(written))
          .step("take", () -> copy.far().tryRead(written))
          .check(end -> {
            while (target.hasRemaining()) {
              copy.far().tryRead(written);
              tee.tryRead(target);
            }
            copy.far().tryRead(written);
            assertThat(new String(target.array(), US_ASCII)).isEqualTo("abcde");
            assertThat(US_ASCII.decode(written.flip()).toString()).isEqualTo("abcde");
          });
    });
  }

  @Test
  void copies_ofReadersMadeOfReaders_areWhole() throws Exception {
    byte[] data = new byte[20_000];
    new SplittableRandom(1).nextBytes(data);
    try (var to = Duplex.ofCapacity(data.length);
        var log = Duplex.ofCapacity(data.length)) {
      ByteReader head = Bytes.reader(ByteBuffer.wrap(data, 0, 7_000));
      ByteReader tail = Bytes.reader(ByteBuffer.wrap(data, 7_000, 13_000)).take(12_000);
      assertThat(Bytes.copy(head.chain(tail).tee(log.near()), to.near()).await()).isEqualTo(19_000);
      for (Duplex end : new Duplex[] {to, log}) {
        var got = ByteBuffer.allocate(data.length);
        assertThat(end.far().tryRead(got)).isEqualTo(19_000);
        assertThat(got.array()).startsWith(java.util.Arrays.copyOf(data, 19_000));
      }
    }
  }

  @Test
  void memory_isReadOnce_andThenEnds() throws Exception {
    ByteReader from = of("ab");
    var target = ByteBuffer.allocate(1);
    assertThat(from.pollRead(NOBODY, target)).isOne();
    assertThat(from.read(ByteBuffer.allocate(0)).await()).isZero();
    assertThat(all(from)).isEqualTo("b");
    assertThat(from.tryRead(target.clear())).isEqualTo(ByteReader.EOF);
  }
}
