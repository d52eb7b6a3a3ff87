package dev.blitz.io.net;

import dev.blitz.io.internal.driver.Endpoints;
import dev.blitz.io.internal.services.Services;

/** The runtime that a new socket belongs to. */
final class NetHost {
  private NetHost() {}

  /** The runtime of the calling task. */
  static Services current() {
    return Services.required("a socket");
  }

  static Endpoints sockets(Services host) {
    return host.driver().endpoints();
  }
}
