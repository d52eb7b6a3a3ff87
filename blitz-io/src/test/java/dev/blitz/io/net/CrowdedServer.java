package dev.blitz.io.net;

import dev.blitz.io.future.Futures;
import dev.blitz.io.task.Task;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * An echo server that is given few descriptors, and a process with more clients than it can serve
 * at a time. Once that has been told they leave as they are answered, so each gets its turn.
 * Whatever is logged ends with an error, as that of the JDK does where a file of its own cannot be
 * opened.
 */
final class CrowdedServer {
  private static final int CLIENTS = 150;

  /** Kept: the log manager holds loggers weakly. */
  private static final Logger LOGGER = Logger.getLogger("dev.blitz.io");

  private static final AtomicInteger LOST = new AtomicInteger();

  private CrowdedServer() {}

  public static void main(String[] args) throws Exception {
    FewDescriptors.loadAllClasses(); // but nothing has been logged yet
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(new Broken());
    try (var world = new SocketWorld(args[0], 2)) {
      TcpListener listener = world.inside(() -> TcpListener.builder().backlog(256).listen(0));
      int port = listener.localAddress().getPort();
      Process clients =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Clients.class.getName(),
                  String.valueOf(port))
              .inheritIO()
              .redirectInput(ProcessBuilder.Redirect.PIPE)
              .start();
      var server =
          world.runtime.spawn(
              Futures.loop(() ->
                  listener
                      .accept()
                      .andThen(stream -> {
                        Task.spawn(SocketConformance.echo(stream)).detach();
                        return Futures.more();
                      })));
      while (LOST.get() == 0) {
        Thread.onSpinWait(); // there are more than can be accepted, and none leaves
      }
      clients.getOutputStream().close();
      int status = clients.waitFor();
      server.cancel();
      System.out.println(
          status == 0 ? "everybody was answered" : "the clients ended with " + status);
    }
    System.exit(0);
  }

  private static final class Broken extends Handler {
    @Override
    public void publish(LogRecord record) {
      LOST.incrementAndGet();
      throw new InternalError("a file of the log: Too many open files");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  /** All connect and ask, then one after the other hears its answer and leaves. */
  static final class Clients {
    private Clients() {}

    public static void main(String[] args) throws Exception {
      List<Socket> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        var client = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        client.setSoTimeout(15_000);
        clients.add(client);
        client.getOutputStream().write(i);
      }
      if (System.in.read() >= 0) {
        throw new AssertionError("more than an end");
      }
      for (int i = 0; i < CLIENTS; i++) {
        if (clients.get(i).getInputStream().read() != i) {
          throw new AssertionError("a wrong answer for " + i);
        }
        clients.get(i).close();
      }
    }
  }
}
