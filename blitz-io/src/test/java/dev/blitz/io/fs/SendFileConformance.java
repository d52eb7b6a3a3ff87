package dev.blitz.io.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.TestBackends;
import dev.blitz.io.bytes.BufferedByteWriter;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.bytes.DirectInput;
import dev.blitz.io.bytes.GuardedStream;
import dev.blitz.io.bytes.Transfers;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** From a file to a socket, whose peer is one of the JDK's. */
abstract class SendFileConformance extends FileConformance {
  private static final int LARGE = 3_000_001;
  private static final int BUFFER = 32 << 10;

  SendFileConformance(String backend) {
    super(backend);
  }

  private record Connection(TcpStream here, Socket peer) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      here.close();
      peer.close();
    }

    /** All that arrives, on a thread of its own. */
    FutureTask<byte[]> receiving() {
      var task = new FutureTask<>(() -> peer.getInputStream().readAllBytes());
      Thread.ofPlatform().start(task);
      return task;
    }
  }

  private Connection connect() throws Exception {
    var any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (TcpListener listener = inside(() -> TcpListener.bind(any))) {
      var peer = new Socket();
      peer.setReceiveBufferSize(BUFFER); // little of a large file is under way
      peer.connect(listener.localAddress());
      return new Connection(listener.accept().await().sendBuffer(BUFFER), peer);
    }
  }

  /** Of bytes that are in memory. */
  private AsyncFile written(String name, byte[] bytes) throws Exception {
    Files.write(dir.resolve(name), bytes);
    return file(name);
  }

  @Test
  void aFile_arrivesWhole_behindWhatWasWritten() throws Exception {
    byte[] data = noise(LARGE, 1);
    try (Connection connection = connect();
        AsyncFile file = written("f", data)) {
      var received = connection.receiving();
      TcpStream out = connection.here();
      long sent =
          runtime.run(() -> {
            out.writeAll(bytes("head")).await();
            long n = Bytes.copy(file, out).await();
            out.writeAll(bytes("tail")).await();
            out.shutdown().await();
            return n;
          });
      assertThat(sent).isEqualTo(LARGE);
      assertThat(file.position()).isEqualTo(LARGE);
      byte[] all = received.get();
      assertThat(all).hasSize(LARGE + 8);
      assertThat(Arrays.copyOfRange(all, 4, LARGE + 4)).isEqualTo(data);
      assertThat(new String(all, 0, 4, StandardCharsets.UTF_8)).isEqualTo("head");
    }
  }

  @Test
  void aPartOfAFile_isSent() throws Exception {
    byte[] data = noise(LARGE, 13);
    try (Connection connection = connect();
        AsyncFile file = written("f", data)) {
      var received = connection.receiving();
      file.position(7);
      assertThat(Bytes.copy(file.take(2_000_000), connection.here()).await()).isEqualTo(2_000_000);
      assertThat(file.position()).isEqualTo(2_000_007);
      connection.here().shutdown().await();
      assertThat(received.get()).isEqualTo(Arrays.copyOfRange(data, 7, 2_000_007));
    }
  }

  @Test
  void aRange_isSent_andLeavesThePositionAlone() throws Exception {
    byte[] data = noise(LARGE, 21);
    try (Connection connection = connect();
        AsyncFile file = written("f", data)) {
      var received = connection.receiving();
      ByteReader range = file.range(7, 2_000_000);
      assertThat(Bytes.copy(range, connection.here()).await()).isEqualTo(2_000_000);
      assertThat(Bytes.copy(range, connection.here()).await()).as("it has ended").isZero();
      ByteReader rest = file.range(2_500_000, Long.MAX_VALUE);
      assertThat(Bytes.copy(rest, connection.here()).await()).isEqualTo(LARGE - 2_500_000);
      assertThat(file.position()).isZero();
      connection.here().shutdown().await();
      byte[] all = received.get();
      assertThat(Arrays.copyOf(all, 2_000_000)).isEqualTo(Arrays.copyOfRange(data, 7, 2_000_007));
      assertThat(Arrays.copyOfRange(all, 2_000_000, all.length))
          .isEqualTo(Arrays.copyOfRange(data, 2_500_000, LARGE));
    }
  }

  @Test
  void aRangeInMemory_isSentByTheKernel_untilItsFileIsClosed() throws Exception {
    assumeTrue(!backend.equals(TestBackends.JDK_FILES), "the JDK tells no descriptor");
    assumeTrue(!backend.equals("nio"), "the JDK's sockets take none");
    AsyncFile file = written("f", noise(100_000, 22));
    var range = (DirectInput) file.range(10_000, 50_000);
    try (Connection connection = connect();
        file) {
      long n = Transfers.transfer(connection.here(), new Bell().context(), range);
      assumeTrue(n != GuardedStream.BY_MEMORY, "this kernel does not tell what is in memory");
      assertThat(n).isBetween(1L, 50_000L);
      assertThat(connection.peer().getInputStream().readNBytes((int) n))
          .isEqualTo(Arrays.copyOfRange(noise(100_000, 22), 10_000, 10_000 + (int) n));
    }
    try (Connection connection = connect()) {
      assertThat(Transfers.transfer(connection.here(), new Bell().context(), range))
          .isEqualTo(GuardedStream.BY_MEMORY);
      assertThatThrownBy(() -> Bytes.copy((ByteReader) range, connection.here()).await())
          .isInstanceOf(ClosedChannelException.class);
    }
  }

  @Test
  void whatIsInMemory_isAskedForAgain_elsewhereOrAfterAWait() throws Exception {
    try (AsyncFile file = written("f", noise(100_000, 23))) {
      int number = file.file().number();
      assumeTrue(number >= 0, "no descriptors without native access");
      var present = new PresentBytes();
      int found = present.count(number, 0, 1 << 20);
      assumeTrue(found > 0, "this kernel does not tell what is in memory");
      assertThat(found).isEqualTo(100_000);
      present.taken(40_000);
      Files.write(dir.resolve("f"), new byte[50_000]);
      assertThat(present.count(number, 40_000, 55_000)).as("known").isEqualTo(55_000);
      assertThat(present.count(number, 40_000, 1 << 20)).as("known").isEqualTo(60_000);
      present.taken(ByteReader.PENDING);
      assertThat(present.count(number, 40_000, 1 << 20)).isEqualTo(10_000);
      assertThat(present.count(number, 50_000, 1 << 20)).as("the end").isZero();
      assertThat(present.count(number, 7, 10)).isEqualTo(10);
    }
  }

  /** That the suite has not gone through memory unnoticed. */
  @Test
  void bytesInMemory_areSentByTheKernel() throws Exception {
    assumeTrue(!backend.equals(TestBackends.JDK_FILES), "the JDK tells no descriptor");
    assumeTrue(!backend.equals("nio"), "the JDK's sockets take none");
    try (Connection connection = connect();
        AsyncFile file = written("f", noise(100_000, 2))) {
      DirectInput input = Transfers.input(file);
      assertThat(input).isNotNull();
      long n = Transfers.transfer(connection.here(), new Bell().context(), input);
      assumeTrue(n != GuardedStream.BY_MEMORY, "this kernel does not tell what is in memory");
      assertThat(n).isBetween(1L, 100_000L);
      assertThat(file.position()).isEqualTo(n);
      assertThat(connection.peer().getInputStream().readNBytes((int) n))
          .isEqualTo(Arrays.copyOf(noise(100_000, 2), (int) n));
    }
  }

  @Test
  void throughABuffer_theOrderIsKept() throws Exception {
    byte[] data = noise(LARGE, 14);
    for (boolean half : new boolean[] {false, true}) {
      try (Connection connection = connect();
          AsyncFile file = written("f", data)) {
        var received = connection.receiving();
        TcpStream stream = connection.here();
        var out = BufferedByteWriter.of(half ? stream.split().writer() : stream);
        long sent =
            runtime.run(() -> {
              out.writeText("head").await();
              long n = Bytes.copy(file.take(100), out).await();
              out.writeText("more").await();
              n += Bytes.copy(file, out).await();
              out.writeText("tail").await();
              out.shutdown().await();
              return n;
            });
        assertThat(sent).isEqualTo(LARGE);
        byte[] all = received.get();
        assertThat(all).hasSize(LARGE + 12);
        assertThat(new String(all, 104, 4, StandardCharsets.UTF_8)).isEqualTo("more");
        assertThat(Arrays.copyOfRange(all, 108, LARGE + 8))
            .isEqualTo(Arrays.copyOfRange(data, 100, LARGE));
        assertThat(Arrays.copyOfRange(all, 4, 104)).isEqualTo(Arrays.copyOf(data, 100));
      }
    }
  }

  @Test
  void throughABuffer_theKernelSendsWhatIsLarge() throws Exception {
    assumeTrue(!backend.equals(TestBackends.JDK_FILES), "the JDK tells no descriptor");
    try (Connection connection = connect();
        AsyncFile file = written("f", noise(100_000, 15));
        AsyncFile small = written("g", noise(1_000, 16))) {
      assumeTrue(Transfers.input(file) != null, "no descriptors without native access");
      var out = BufferedByteWriter.ofCapacity(1 << 13, connection.here());
      out.writeText("head").await();
      var cx = new Bell().context();
      long less = Transfers.transfer(out, cx, Transfers.input(small));
      assertThat(less).as("is put behind what waits").isEqualTo(GuardedStream.BY_MEMORY);
      assertThat(out.room().remaining()).isEqualTo((1 << 13) - 4);
      long n = Transfers.transfer(out, cx, Transfers.input(file));
      assumeTrue(n != GuardedStream.BY_MEMORY, "this kernel does not tell what is in memory");
      assertThat(n).isBetween(1L, 100_000L);
      assertThat(file.position()).isEqualTo(n);
      assertThat(connection.peer().getInputStream().readNBytes(4))
          .isEqualTo("head".getBytes(StandardCharsets.UTF_8));
      assertThat(connection.peer().getInputStream().readNBytes((int) n))
          .isEqualTo(Arrays.copyOf(noise(100_000, 15), (int) n));
    }
  }

  /** What the system has let go of comes through memory, and is the same. */
  @Test
  void aColdFile_arrivesWhole() throws Exception {
    byte[] data = noise(LARGE, 3);
    Path path = Files.write(dir.resolve("cold"), data);
    try (FileChannel channel = FileChannel.open(path, WRITE)) {
      channel.force(true);
    }
    CommandConformance.output("dd", "if=" + path, "iflag=nocache", "count=0", "status=none");
    try (Connection connection = connect();
        AsyncFile file = file("cold")) {
      if (isCold(path)) {
        DirectInput input = Transfers.input(file);
        assertThat(
                input == null
                    ? GuardedStream.BY_MEMORY
                    : Transfers.transfer(connection.here(), new Bell().context(), input))
            .as("no worker waits for the disk")
            .isEqualTo(GuardedStream.BY_MEMORY);
      }
      var received = connection.receiving();
      assertThat(Bytes.copy(file, connection.here()).await()).isEqualTo(LARGE);
      connection.here().shutdown().await();
      assertThat(received.get()).isEqualTo(data);
    }
  }

  /** Whether nothing of it is in memory, if there is somebody who can tell. */
  private static boolean isCold(Path path) throws Exception {
    return Files.exists(Path.of("/usr/bin/fincore"))
        && CommandConformance.output("fincore", "-nbo", "RES", path.toString()).strip().equals("0");
  }

  /** The peer has said all it has to say, and still listens. */
  @Test
  void aHalfClosedPeer_getsAll() throws Exception {
    byte[] data = noise(LARGE, 4);
    try (Connection connection = connect();
        AsyncFile file = written("f", data)) {
      connection.peer().shutdownOutput();
      assertThat(connection.here().read(ByteBuffer.allocate(1)).await()).isEqualTo(-1);
      var received = connection.receiving();
      assertThat(Bytes.copy(file, connection.here()).await()).isEqualTo(LARGE);
      connection.here().shutdown().await();
      assertThat(received.get()).isEqualTo(data);
    }
  }

  /** Dropped wherever it waits: what has been sent is what the file's position says. */
  @Test
  void aDroppedCopy_hasSentWhatThePositionSays() throws Exception {
    byte[] data = noise(LARGE, 5);
    Files.write(dir.resolve("f"), data);
    for (int polls = 1; polls <= 6; polls++) {
      try (Connection connection = connect();
          AsyncFile file = file("f")) {
        var bell = new Bell();
        var copy = Bytes.copy(file, connection.here());
        Long done = copy.poll(bell.context());
        assertThat(done).as("nobody reads").isNull();
        var received = connection.receiving();
        for (int i = 1; i < polls && done == null; i++) {
          bell.awaitAfter(i - 1);
          done = copy.poll(bell.context());
        }
        if (done == null) {
          copy.drop();
        }
        long sent = file.position();
        connection.here().shutdown().await();
        byte[] all = received.get();
        if (backend.equals(TestBackends.JDK_FILES) || backend.equals("nio")) {
          // By memory of ours: what it had read may not have been sent.
          assertThat((long) all.length).isBetween(sent - (64 << 10), sent);
        } else {
          assertThat((long) all.length).isEqualTo(sent);
        }
        assertThat(all).isEqualTo(Arrays.copyOf(data, all.length));
      }
    }
  }

  /** The same of what was written before: the file's bytes go behind all of it, or not at all. */
  @Test
  void aDroppedCopy_behindMuchThatWasWritten_hasSentWhatBothSay() throws Exception {
    byte[] before = noise(500_000, 24);
    byte[] data = noise(LARGE, 25);
    Files.write(dir.resolve("f"), data);
    for (int polls : new int[] {1, 2, 4, 8, 16, 32}) {
      try (Connection connection = connect();
          AsyncFile file = file("f")) {
        var out = BufferedByteWriter.ofCapacity(512 << 10, connection.here());
        out.writeAll(ByteBuffer.wrap(before)).await();
        var bell = new Bell();
        var copy = Bytes.copy(file, out);
        Long done = copy.poll(bell.context());
        assertThat(done).as("nobody reads").isNull();
        var received = connection.receiving();
        for (int i = 1; i < polls && done == null; i++) {
          bell.awaitAfter(i - 1);
          done = copy.poll(bell.context());
        }
        if (done == null) {
          copy.drop();
        }
        boolean byMemory = Transfers.input(file) == null || backend.equals("nio");
        long written = before.length + file.position();
        long waits = Transfers.waiting(out);
        connection.here().shutdown().await(); // without what waits here
        byte[] all = received.get();
        if (byMemory) { // what it had read may not have been written
          assertThat((long) all.length).isBetween(written - waits - (64 << 10), written - waits);
        } else {
          assertThat((long) all.length).isEqualTo(written - waits);
        }
        int first = Math.min(all.length, before.length);
        assertThat(Arrays.copyOf(all, first)).isEqualTo(Arrays.copyOf(before, first));
        assertThat(Arrays.copyOfRange(all, first, all.length))
            .isEqualTo(Arrays.copyOf(data, all.length - first));
      }
    }
  }

  @Test
  void aPeerThatResets_failsTheCopy_andTheFileIsFree() throws Exception {
    try (Connection connection = connect();
        AsyncFile file = written("f", noise(LARGE, 6))) {
      var bell = new Bell();
      var copy = Bytes.copy(file, connection.here());
      assertThat(copy.poll(bell.context())).isNull();
      connection.peer().setSoLinger(true, 0);
      connection.peer().close();
      assertThatThrownBy(copy::await).isInstanceOf(IOException.class);
      file.position(10);
      assertThat(file.read(ByteBuffer.allocate(4)).await()).isEqualTo(4);
    }
  }

  /** It ends sooner, as a read does. */
  @Test
  void aFileThatShrinks_endsTheCopy() throws Exception {
    byte[] data = noise(LARGE, 7);
    try (Connection connection = connect();
        AsyncFile file = written("f", data)) {
      var copy = Bytes.copy(file, connection.here());
      assertThat(copy.poll(new Bell().context())).isNull();
      try (FileChannel channel = FileChannel.open(dir.resolve("f"), WRITE)) {
        channel.truncate(1);
      }
      var received = connection.receiving();
      long sent = copy.await();
      connection.here().shutdown().await();
      assertThat(sent).isLessThan(LARGE);
      assertThat(received.get()).hasSize((int) sent);
    }
  }

  @Test
  void closedInTheMiddle_theCopyEnds() throws Exception {
    for (boolean closesFile : new boolean[] {true, false}) {
      Connection connection = connect();
      AsyncFile file = written("f", noise(LARGE, 8));
      var copy = Bytes.copy(file, connection.here());
      assertThat(copy.poll(new Bell().context())).isNull();
      var received = closesFile ? connection.receiving() : null;
      if (closesFile) {
        file.close();
      } else {
        connection.here().close();
      }
      assertThatThrownBy(copy::await).isInstanceOf(ClosedChannelException.class);
      file.close();
      connection.here().close();
      if (received != null) {
        assertThat(received.get().length).isLessThan(LARGE);
      }
      connection.close();
    }
  }

  // --- From file to file ---

  @Test
  void fromFileToFile_goesOnFromBothPositions() throws Exception {
    byte[] data = noise(20_000_003, 9);
    try (AsyncFile from = written("from", data);
        AsyncFile to = await(() -> AsyncFile.create(dir.resolve("to")))) {
      from.position(3);
      to.writeAll(bytes("0123456789")).await();
      assertThat(Bytes.copy(from, to).await()).isEqualTo(20_000_000L);
      assertThat(from.position()).isEqualTo(20_000_003L);
      assertThat(to.position()).isEqualTo(20_000_010L);
      to.writeAll(bytes("end")).await();
    }
    byte[] copied = Files.readAllBytes(dir.resolve("to"));
    assertThat(copied).hasSize(20_000_013);
    assertThat(Arrays.copyOfRange(copied, 10, 20_000_010))
        .isEqualTo(Arrays.copyOfRange(data, 3, 20_000_003));
  }

  @Test
  void fromFileToFile_thatIsOpenedToAppend_orOnAnotherDisk() throws Exception {
    byte[] data = noise(300_000, 10);
    Path memory = Path.of("/dev/shm");
    Path other =
        Files.isWritable(memory) ? Files.createTempFile(memory, "copy", "") : dir.resolve("other");
    try (AsyncFile from = written("from", data);
        AsyncFile end = await(() -> AsyncFile.open(write("end", "x"), APPEND));
        AsyncFile elsewhere = await(() -> AsyncFile.create(other))) {
      Bytes.copy(from, end).await();
      from.position(0);
      Bytes.copy(from, elsewhere).await();
      assertThat(Files.size(dir.resolve("end"))).isEqualTo(300_001);
      assertThat(Files.readAllBytes(other)).isEqualTo(data);
    } finally {
      Files.deleteIfExists(other);
    }
  }

  @Test
  void fromFileToFile_droppedAtEveryPoll_leavesWhatThePositionsSay() throws Exception {
    // Several steps in any case; without native code they are small, and each begins all over.
    byte[] data = noise(backend.equals(TestBackends.JDK_FILES) ? 500_000 : 20_000_000, 11);
    Files.write(dir.resolve("from"), data);
    int[] round = {0};
    int polls =
        dropAtEveryPoll(() -> {
          AsyncFile from = file("from");
          Path target = dir.resolve("to" + round[0]++);
          AsyncFile to = await(() -> AsyncFile.create(target));
          return new Scene<>(
              Bytes.copy(from, to),
              (@Nullable Long copied) -> {
                to.flush().await();
                long position = to.position();
                assertThat(copied == null || copied == data.length).isTrue();
                assertThat(from.position()).isBetween(position, position + (64 << 10));
                assertThat(Files.readAllBytes(target))
                    .isEqualTo(Arrays.copyOf(data, (int) position));
                to.writeAll(bytes("end")).await();
                assertThat(Files.size(target)).isEqualTo(position + 3);
                from.close();
                to.close();
                Files.delete(target);
              });
        });
    assertThat(polls).isPositive();
  }

  /** Nobody asks for the end of the copy: both files are closed all the same. */
  @Test
  void fromFileToFile_droppedAndClosed_leavesNothingOpen() throws Exception {
    Files.write(dir.resolve("from"), noise(9_000_000, 14));
    AsyncFile from = file("from");
    AsyncFile to = await(() -> AsyncFile.create(dir.resolve("to")));
    var copy = Bytes.copy(from, to);
    copy.poll(new Bell().context());
    copy.drop();
    from.close();
    to.close();
  }

  @Test
  void aFullDisk_failsTheCopy() throws Exception {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full), "no /dev/full");
    try (AsyncFile from = written("from", noise(300_000, 12));
        AsyncFile to = await(() -> AsyncFile.open(full, WRITE))) {
      assertThatThrownBy(() -> Bytes.copy(from, to).await())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("No space left on device");
    }
  }

  @Test
  void copyToAPlaceThatCannotBe_namesTheTarget() throws Exception {
    Files.write(dir.resolve("f"), noise(LARGE, 1));
    try (AsyncFile from = file("f");
        AsyncFile to = file("g", CREATE, WRITE)) {
      to.position(Long.MAX_VALUE - 10);
      assertThatThrownBy(() -> Bytes.copy(from, to).await())
          .isInstanceOf(IOException.class)
          .hasMessageContaining(dir.resolve("g").toString());
      assertThat(to.position()).isNotNegative();
    }
  }
}
