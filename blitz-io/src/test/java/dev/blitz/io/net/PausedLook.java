package dev.blitz.io.net;

import dev.blitz.io.TestBackends;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.shutdown.Shutdown;
import dev.blitz.io.time.ManualTimeSource;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that is given few descriptors: an accept has found none, and waits for some until a
 * clock goes on that stands still. There are some again when it is stopped.
 */
final class PausedLook {
  private PausedLook() {}

  public static void main(String[] args) throws Exception {
    FewDescriptors.loadAllClasses();
    var clock = new ManualTimeSource(false);
    try (var world = new SocketWorld(TestBackends.builder(args[0]).workers(1).clock(clock));
        var listener = world.listen();
        var shutdown = Shutdown.builder().linger(Duration.ZERO).open(world.runtime)) {
      List<Socket> clients = FewDescriptors.connectUntilNoneAreLeft(listener);
      List<TcpStream> accepted = new ArrayList<>(); // kept: no descriptor must be left
      var bell = new SocketWorld.Bell();
      var accept = shutdown.guard(listener.accept());
      while (world.runtime.stats().timers() == 0) {
        TcpStream stream = accept.poll(bell.context());
        if (stream != null) {
          accepted.add(stream);
          accept = shutdown.guard(listener.accept());
        }
      }
      for (int i = 0; i < 4; i++) {
        clients.removeFirst().close();
      }
      shutdown.force();
      String end;
      try (TcpStream last = world.runtime.run(accept)) {
        end = last.isOpen() ? "what was there has been accepted" : "failed: it is closed";
      } catch (CancelledException e) {
        end = "failed: " + e;
      }
      accepted.forEach(TcpStream::close);
      for (Socket client : clients) {
        client.close();
      }
      System.out.println(end);
    }
    System.exit(0);
  }
}
