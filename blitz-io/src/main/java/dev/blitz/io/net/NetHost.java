package dev.blitz.io.net;

import dev.blitz.io.internal.driver.Sockets;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.TaskHost;

/** The runtime that a new socket belongs to. */
final class NetHost {
  private NetHost() {}

  /** The runtime of the calling task. */
  static TaskHost current() {
    TaskHost host = Caller.host();
    if (host != null) {
      return host;
    }
    throw new IllegalStateException(
        "sockets need a runtime, and thread "
            + Thread.currentThread().getName()
            + " belongs to none: use this inside a task, for example in runtime.run(() -> ...)");
  }

  static Sockets sockets(TaskHost host) {
    return host.driver().sockets();
  }
}
