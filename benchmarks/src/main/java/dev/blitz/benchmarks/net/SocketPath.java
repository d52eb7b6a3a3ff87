package dev.blitz.benchmarks.net;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where an echo server on a Unix socket listens: its number, which it announces, says it. */
final class SocketPath {
  private SocketPath() {}

  /** The path of this process, where nothing is yet. */
  static Path ours() throws IOException {
    Path path = of((int) ProcessHandle.current().pid());
    Files.deleteIfExists(path);
    path.toFile().deleteOnExit();
    return path;
  }

  /** Says that {@link #ours} is being listened on. */
  static void announce() {
    EchoServers.announce((int) ProcessHandle.current().pid());
  }

  static UnixDomainSocketAddress address(int number) {
    return UnixDomainSocketAddress.of(of(number));
  }

  private static Path of(int number) {
    return Path.of(System.getProperty("java.io.tmpdir"), "blitz-echo-" + number + ".socket");
  }
}
