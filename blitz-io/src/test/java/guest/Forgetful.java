package guest;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.channel.Channel;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.fs.FileTree;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.process.Command;
import dev.blitz.io.task.Task;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;

/** Code of a user's, in a package of its own, that forgets an {@code await()}. */
@SuppressWarnings("CheckReturnValue")
public final class Forgetful {
  private Forgetful() {}

  /** Forgets to wait. */
  public static void sleep() {
    Task.sleep(Duration.ofHours(1));
  }

  /** Forgets to send. */
  public static void send(Channel<String> channel) {
    channel.send("lost").timeout(Duration.ofHours(1));
  }

  /** Forgets to write. */
  public static void write(ByteWriter writer) {
    writer.writeAll(ByteBuffer.allocate(1));
  }

  /** Forgets to read. */
  public static void read(ByteReader reader) {
    reader.read(ByteBuffer.allocate(1));
  }

  /** Forgets to connect. */
  public static void connect() {
    TcpStream.connect("localhost", 1);
  }

  /** Forgets to look. */
  public static void look(Path path) {
    FileTree.exists(path);
  }

  /** Forgets to run a program. */
  public static void run() {
    Command.of("true").status();
  }

  /** Forgets to open. */
  public static void open(Path path) {
    AsyncFile.open(path);
  }

  /** Does none of this. */
  public static void careful(Channel<String> channel) {
    Task.sleep(Duration.ZERO).await();
    channel.send("sent").await();
    channel.send("given up").drop();
  }
}
