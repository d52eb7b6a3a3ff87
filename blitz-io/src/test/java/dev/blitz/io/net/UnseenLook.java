package dev.blitz.io.net;

import dev.blitz.io.TestBackends;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.shutdown.Shutdown;
import dev.blitz.io.time.ManualTimeSource;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that is given few descriptors: an accept that is under way in the kernel has found
 * none, and whoever waits for it has not looked. There are some again when it is stopped.
 */
final class UnseenLook {
  private UnseenLook() {}

  public static void main(String[] args) throws Exception {
    FewDescriptors.loadAllClasses();
    var clock = new ManualTimeSource(false);
    try (var world = new SocketWorld(TestBackends.builder(args[0]).workers(1).clock(clock));
        var listener = world.listen();
        var shutdown = Shutdown.builder().linger(Duration.ZERO).open(world.runtime);
        var client =
            new Socket(listener.localAddress().getAddress(), listener.localAddress().getPort())) {
      List<InputStream> all = openUntilNoneAreLeft();
      var bell = new SocketWorld.Bell();
      var accept = shutdown.guard(listener.accept());
      if (accept.poll(bell.context()) != null) {
        throw new AssertionError("accepted without a descriptor");
      }
      while (bell.rings() == 0 && world.runtime.stats().timers() == 0) {
        Thread.onSpinWait();
      }
      for (InputStream one : all) {
        one.close();
      }
      shutdown.force();
      String end;
      try (TcpStream last = world.runtime.run(accept)) {
        end = last.isOpen() ? "what was there has been accepted" : "failed: it is closed";
      } catch (CancelledException e) {
        end = "failed: " + e;
      }
      System.out.println(client.isConnected() ? end : "failed: no client");
    }
    System.exit(0);
  }

  private static List<InputStream> openUntilNoneAreLeft() {
    List<InputStream> all = new ArrayList<>();
    try {
      for (; ; ) {
        all.add(Files.newInputStream(Path.of(System.getProperty("java.home"), "release")));
      }
    } catch (IOException noneLeft) {
      return all;
    }
  }
}
