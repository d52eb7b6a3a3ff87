package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.bytes.codec.Lines;
import dev.blitz.io.channel.Broadcast;
import dev.blitz.io.channel.BroadcastReceiver;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;

/**
 * A chat: the first line is a name, each further one is heard by all.
 *
 * <p>Shows: lines both ways, split streams, Broadcast. Run: {@code ./blitz example Chat 8080}, then
 * {@code nc localhost 8080}; without an argument two people meet.
 */
public final class Chat {
  /** How many lines somebody may be behind before it misses some. */
  private static final int MEMORY = 64;

  private static final Lines LINES = Lines.codec().limit(1000);

  private Chat() {}

  /** Serves until it is killed; the argument is the port. Or shows itself. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0 && !args[0].matches("\\d{1,5}")) {
      IO.println("a port is a number, not " + args[0]);
      return;
    }
    Blitz.run(() -> {
      var listener = TcpListener.bind(args.length > 0 ? Integer.parseInt(args[0]) : 0);
      var server = Task.spawn(owning(listener), () -> serve(listener));
      if (args.length == 0) {
        meet(listener.localAddress().getPort());
        listener.close();
      }
      server.await();
    });
  }

  /** Until the listener is closed. */
  static void serve(TcpListener listener) {
    try (var room = Broadcast.<String>create(MEMORY);
        var people = TaskScope.open(supervise((task, e) -> IO.println(e.getMessage())))) {
      for (TcpStream person : listener.connections()) {
        people.spawn(owning(person), () -> attend(person, room));
      }
      people.cancel();
    }
  }

  private static void attend(TcpStream person, Broadcast<String> room) throws IOException {
    var halves = person.split();
    var said = room.subscribe().skippingMissed(); // before the first word
    var listening = Task.spawn(owning(said), () -> hear(said, halves.writer()));
    try {
      speak(halves.reader(), room);
    } finally {
      listening.cancel();
    }
  }

  private static void speak(ByteReader from, Broadcast<String> room) throws IOException {
    var lines = LINES.reader(from);
    var name = lines.next().await();
    if (name.isPresent()) {
      room.send(name.get() + " is here");
      for (String line : lines) {
        room.send(name.get() + ": " + line);
      }
      room.send(name.get() + " has left");
    }
  }

  private static void hear(BroadcastReceiver<String> said, ByteWriter to) {
    var out = LINES.limit(2000).writer(to);
    try {
      for (String line : said) {
        out.send(line).await();
      }
    } catch (IOException gone) {
      // The one who speaks there learns of it too.
    }
  }

  private static void meet(int port) throws IOException {
    try (var ann = TcpStream.connect("localhost", port).await()) {
      var annHears = Lines.of(ann);
      LINES.writer(ann).send("Ann").await();
      IO.println("Ann hears: " + annHears.next().await().orElseThrow());
      try (var ben = TcpStream.connect("localhost", port).await()) {
        var benHears = Lines.of(ben);
        LINES.writer(ben).send("Ben").await();
        IO.println("Ann hears: " + annHears.next().await().orElseThrow());
        LINES.writer(ben).send("good morning").await();
        IO.println("Ann hears: " + annHears.next().await().orElseThrow());
        while (!benHears.next().await().orElseThrow().endsWith("good morning")) {
          // Whoever closes before reading all is not seen to leave, but to be cut off.
        }
      }
      IO.println("Ann hears: " + annHears.next().await().orElseThrow());
    }
  }
}
