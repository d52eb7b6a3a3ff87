package dev.blitz.io.net;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;

/** A process that may not call native code: tasks run, sockets are refused with one exception. */
final class NoNativeAccess {
  private NoNativeAccess() {}

  public static void main(String[] args) throws Exception {
    try (var runtime = BlitzRuntime.create()) {
      System.out.println(runtime.run(Futures.lazy(() -> "task ran")));
      System.out.println(runtime.backend());
      try {
        runtime.run(Futures.lazy(() -> TcpListener.bind(0)));
        System.out.println("a listener");
      } catch (UnsupportedOperationException e) {
        System.out.println(e.getMessage());
        System.out.println("no sockets");
      }
    }
  }
}
