package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.io.internal.driver.SeccompFilter;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * In a JVM of its own: from some moment on the kernel refuses to let the worker enter its ring, as
 * a filter of a sandbox does. Says how the read that waited and a later one ended, then whether the
 * runtime still works. The argument is the number of the system call.
 */
final class RefusedRing {
  private static final int EPERM = 1;

  private RefusedRing() {}

  @SuppressWarnings("try") // the peer only has to be there
  public static void main(String[] args) throws Exception {
    long enter = Long.parseLong(args[0]);
    try (var runtime = BlitzRuntime.builder().backend("io_uring").workers(1).build();
        var listener = runtime.run(Futures.lazy(() -> TcpListener.bind(0)));
        var peer =
            new Socket(InetAddress.getLoopbackAddress(), listener.localAddress().getPort())) {
      TcpStream stream = runtime.run(listener.accept());
      var reading = runtime.spawn(stream.read(ByteBuffer.allocate(1)));
      runtime.run(Task.sleep(Duration.ofMillis(20))); // it has been submitted
      boolean refused =
          runtime.run(
              Futures.lazy(() -> {
                try {
                  return SeccompFilter.forbid(enter, EPERM);
                } catch (Throwable t) {
                  throw new AssertionError(t);
                }
              }));
      if (!refused) {
        System.out.println("the kernel takes no filter");
        return;
      }
      try {
        System.out.println("the read that waited: " + reading.await());
      } catch (RuntimeException e) {
        System.out.println("the read that waited: " + e.getCause());
      }
      try {
        System.out.println("a later read: " + runtime.run(stream.read(ByteBuffer.allocate(1))));
      } catch (IOException e) {
        System.out.println("a later read: " + e);
      }
      for (int i = 0; i < 20; i++) {
        runtime.run(Task.sleep(Duration.ofMillis(1)));
      }
      System.out.println("timers and tasks: " + runtime.run(Futures.ready("go on")));
    }
    System.out.println("closed");
  }
}
