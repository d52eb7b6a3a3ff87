package dev.blitz.examples;

import static dev.blitz.io.task.ScopePolicy.supervise;
import static dev.blitz.io.task.SpawnOptions.owning;

import dev.blitz.io.Blitz;
import dev.blitz.io.channel.Broadcast;
import dev.blitz.io.net.TcpListener;
import dev.blitz.io.net.TcpStream;
import dev.blitz.io.task.TaskScope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A chat: what one client sends all get. Each client has a task that reads, and within its scope
 * one that writes.
 *
 * <p>Shows: Broadcast, a scope in a scope. Run: {@code ./blitz example Chat}.
 */
public final class Chat {
  private Chat() {}

  /** Ann and Bob talk. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      try (var listener = TcpListener.bind(0);
          var room = Broadcast.<String>create(64);
          var clients = TaskScope.open(supervise((who, e) -> IO.println(who + ": " + e)))) {
        clients.spawn(() -> {
          while (true) {
            var client = clients.guard(listener.accept()).await();
            clients.spawn(owning(client), () -> serve(client, room));
          }
        });
        int port = listener.localAddress().getPort();
        try (var ann = TcpStream.connect("localhost", port).await();
            var bob = TcpStream.connect("localhost", port).await()) {
          say(ann, "ann is here");
          IO.println("ann hears: " + hear(ann));
          say(bob, "bob is here");
          IO.println("ann hears: " + hear(ann));
        }
        clients.cancel();
      }
    });
  }

  private static void serve(TcpStream client, Broadcast<String> room) throws IOException {
    try (var heard = room.subscribe();
        var writer = TaskScope.open()) {
      writer.spawn(() -> {
        while (true) {
          say(client, heard.receive().await());
        }
      });
      for (String text = hear(client); !text.isEmpty(); text = hear(client)) {
        room.send(text);
      }
      writer.cancel(); // the client has gone
    }
  }

  private static void say(TcpStream to, String text) throws IOException {
    to.writeAll(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))).await();
  }

  /** What has come; empty at the end. */
  private static String hear(TcpStream from) throws IOException {
    var buffer = ByteBuffer.allocate(1024);
    int length = from.read(buffer).await();
    return length < 0 ? "" : new String(buffer.array(), 0, length, StandardCharsets.UTF_8);
  }
}
