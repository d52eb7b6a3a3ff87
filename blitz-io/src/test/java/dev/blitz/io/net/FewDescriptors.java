package dev.blitz.io.net;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
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
    System.getLogger("dev.blitz.io").log(System.Logger.Level.WARNING, "the log has what it needs");
    try (var world = new SocketWorld(args[0], 2);
        var listener = world.listen()) {
      // Everything that opens a descriptor once is done before they run out.
      try (var first = new Socket(listener.localAddress().getAddress(), port(listener));
          var accepted = listener.accept().await()) {
        accepted.writeAll(ByteBuffer.wrap(new byte[] {1})).await();
        check(first.getInputStream().read() == 1, "the first answer");
      }
      List<Socket> clients = connectUntilNoneAreLeft(listener);
      check(clients.size() > 8, "some connections before the limit");
      Queue<TcpStream> accepted = new ConcurrentLinkedQueue<>(dropWhilePausing(world, listener));
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

  /** There is one more connection than there are descriptors for them. */
  static List<Socket> connectUntilNoneAreLeft(TcpListener listener) throws IOException {
    List<Socket> clients = new ArrayList<>();
    List<InputStream> spares = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      spares.add(Files.newInputStream(Path.of(System.getProperty("java.home"), "release")));
    }
    while (tryConnect(listener, clients)) {
      // go on
    }
    // An accept that stays armed may have taken all of them, and may take some of the spare ones.
    do {
      spares.removeLast().close();
    } while (!tryConnect(listener, clients));
    while (tryConnect(listener, clients)) {
      // the one that was left is gone now
    }
    SPARES.addAll(spares);
    return clients;
  }

  /** They stay open: nothing must be left. */
  private static final List<InputStream> SPARES = new ArrayList<>();

  private static boolean tryConnect(TcpListener listener, List<Socket> clients) {
    try {
      clients.add(new Socket(listener.localAddress().getAddress(), port(listener)));
      return true;
    } catch (IOException noneLeft) {
      return false;
    }
  }

  /** An accept that waits for descriptors has a timer; dropped, it leaves none behind. */
  private static List<TcpStream> dropWhilePausing(SocketWorld world, TcpListener listener)
      throws Exception {
    List<TcpStream> accepted = new ArrayList<>();
    var accept = listener.accept();
    while (world.runtime.stats().timers() == 0) {
      TcpStream stream = accept.poll(new SocketWorld.Bell().context());
      if (stream != null) {
        stream.writeAll(ByteBuffer.wrap(new byte[] {7})).await();
        accepted.add(stream); // kept open: there must be no descriptor left
        accept = listener.accept();
      }
    }
    accept.drop();
    check(world.runtime.stats().timers() == 0, "no timer after the drop");
    return accepted;
  }

  /** Loading a class from a folder takes a descriptor. */
  static void loadAllClasses() throws IOException {
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
