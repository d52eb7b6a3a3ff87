package dev.blitz.io.net;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A process that is given few descriptors: clients connect until the limit is reached, so that an
 * accept finds none left; then some are freed, and every connection that is still there must be
 * accepted and answered.
 */
final class FewDescriptors {
  private FewDescriptors() {}

  public static void main(String[] args) throws Exception {
    loadAllClasses();
    try (var world = new SocketWorld(args[0], 2);
        var listener = world.listen()) {
      // Everything that opens a descriptor once is done before they run out.
      try (var first = new Socket(listener.localAddress().getAddress(), port(listener));
          var accepted = listener.accept().await()) {
        accepted.writeAll(ByteBuffer.wrap(new byte[] {1})).await();
        check(first.getInputStream().read() == 1, "the first answer");
      }
      List<Socket> clients = new ArrayList<>();
      var spare = Files.newInputStream(Path.of(System.getProperty("java.home"), "release"));
      try {
        while (true) {
          clients.add(new Socket(listener.localAddress().getAddress(), port(listener)));
        }
      } catch (IOException noneLeft) {
        // as wanted
      }
      check(clients.size() > 8, "some connections before the limit");
      // An accept that stays armed may have taken all of them: one more is there for which nothing
      // is left.
      spare.close();
      clients.add(new Socket(listener.localAddress().getAddress(), port(listener)));
      Queue<TcpStream> accepted = new ConcurrentLinkedQueue<>();
      var server =
          world.runtime.spawn(
              Futures.loop(() ->
                  listener
                      .accept()
                      .andThen(stream ->
                          stream
                              .writeAll(ByteBuffer.wrap(new byte[] {7}))
                              .whenDone(() -> accepted.add(stream))
                              .recover(e -> Done.DONE)
                              .andThen(done -> Futures.more()))));
      // The accept runs into the limit now; nothing but closing these can help it.
      while (world.runtime.stats().timers() == 0) {
        Thread.onSpinWait();
      }
      for (int i = 0; i < 4; i++) {
        clients.removeLast().close();
      }
      for (Socket client : clients) {
        check(client.getInputStream().read() == 7, "an answer");
        client.close();
      }
      server.cancel();
      accepted.forEach(TcpStream::close);
    }
    System.out.println("all connections answered");
  }

  /** Loading a class from a folder takes a descriptor. */
  private static void loadAllClasses() throws IOException {
    System.getLogger("dev.blitz.io").log(System.Logger.Level.WARNING, "loading all classes");
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path root = Path.of(entry);
      if (Files.isDirectory(root.resolve("dev/blitz/io"))) {
        try (var files = Files.walk(root.resolve("dev/blitz/io"))) {
          files.filter(f -> f.toString().endsWith(".class")).forEach(f -> load(root, f));
        }
      }
    }
  }

  private static void load(Path root, Path file) {
    String path = root.relativize(file).toString();
    String name = path.substring(0, path.length() - ".class".length()).replace('/', '.');
    try {
      Class.forName(name, false, FewDescriptors.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError notNeededHere) {
      // a test whose library is not on this class path
    }
  }

  private static int port(TcpListener listener) throws IOException {
    return listener.localAddress().getPort();
  }

  private static void check(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError("expected " + what);
    }
  }
}
