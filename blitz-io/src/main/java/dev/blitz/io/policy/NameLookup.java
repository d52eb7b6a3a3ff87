package dev.blitz.io.policy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Finds the addresses of a host name. Set with {@link dev.blitz.io.RuntimeBuilder#nameLookup}, for
 * instance to answer from a table in tests, or to ask a name server of one's own.
 *
 * {@snippet :
 * NameLookup table =
 *     host -> host.equals("db") ? List.of(InetAddress.ofLiteral("10.0.0.7")) : List.of();
 * }
 *
 * <p>It may block: it is called on threads that the runtime keeps for names, several at once. Names
 * come in lower case; addresses in digits never come. When nobody waits for the answer any more,
 * the thread is interrupted.
 */
@FunctionalInterface
public interface NameLookup {

  /**
   * The addresses of {@code host}, the preferred ones first.
   *
   * @return none if there is no such host
   * @throws UnknownHostException the same; it is remembered for as long as the runtime is told to
   * @throws IOException if the question could not be answered; the next one asks again
   */
  List<InetAddress> lookUp(String host) throws IOException;

  /** As {@link InetAddress#getAllByName}: the system's files and name servers, or the JDK's SPI. */
  static NameLookup system() {
    return host -> List.of(InetAddress.getAllByName(host));
  }
}
