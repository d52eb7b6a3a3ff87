package dev.blitz.io.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.internal.file.DirectoryChanges.Change;
import dev.blitz.io.internal.file.DirectoryChanges.Kind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class InotifyAbiTest {
  private static final int CREATE = 0x100;
  private static final int NAME_BYTES = 16;
  private static final Path DIRECTORY = Path.of("/watched");

  private static void event(ByteBuffer to, byte... name) {
    to.putInt(1).putInt(CREATE).putInt(0).putInt(NAME_BYTES).put(name);
    to.position(to.position() + NAME_BYTES - name.length);
  }

  /** Names are bytes: those that no path can be made of are told of all the same. */
  @Test
  void aNameThatIsNoText_isTold_andTheOthersStay() {
    var bytes = ByteBuffer.allocate(256).order(ByteOrder.nativeOrder());
    event(bytes, "a".getBytes(StandardCharsets.US_ASCII));
    event(bytes, (byte) 'b', (byte) 0xE9, (byte) 0xFF);
    event(bytes, "c".getBytes(StandardCharsets.US_ASCII));
    InotifyAbi.Events events = InotifyAbi.parse(bytes.flip(), DIRECTORY);
    assertThat(events.changes())
        .containsExactly(
            new Change(Kind.CREATED, DIRECTORY.resolve("a")),
            new Change(Kind.LOST, null),
            new Change(Kind.CREATED, DIRECTORY.resolve("c")));
    assertThat(events.ended()).isFalse();
  }
}
