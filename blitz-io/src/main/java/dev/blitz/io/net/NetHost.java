package dev.blitz.io.net;

import dev.blitz.io.internal.driver.Sockets;
import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.internal.task.TaskHost;

/** The runtime that a new socket belongs to. */
final class NetHost {
  private NetHost() {}

  /** The runtime of the calling task. */
  static TaskHost current() {
    return Caller.required("a socket");
  }

  static Sockets sockets(TaskHost host) {
    return host.driver().sockets();
  }
}
