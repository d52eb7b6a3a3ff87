package dev.blitz.io.net;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.names.NameFuture;
import dev.blitz.io.internal.services.Services;
import java.net.InetAddress;
import java.util.List;
import java.util.Objects;

/**
 * Addresses of host names, looked up without keeping a worker.
 *
 * {@snippet :
 * List<InetAddress> addresses = Hosts.resolve("example.org").timeout(ofSeconds(2)).await();
 * }
 *
 * <p>{@link TcpStream#connect(String, int)} does so by itself. Several who ask for the same name at
 * once share one look-up; answers are kept as long as {@link dev.blitz.io.RuntimeBuilder#nameCache}
 * says. What asks is {@link dev.blitz.io.RuntimeBuilder#nameLookup}.
 */
public final class Hosts {
  private Hosts() {}

  /**
   * The addresses of {@code host}, the preferred ones first; never none. Digits are taken as they
   * are. A dropped one stops waiting; the last one that waits also cancels the look-up.
   *
   * <p>Fails with {@link java.net.UnknownHostException} if there is no such host.
   */
  @CheckReturnValue
  public static IoFuture<List<InetAddress>> resolve(String host) {
    Objects.requireNonNull(host, "host");
    return new NameFuture(() -> Services.required("a host name").names(), host);
  }
}
