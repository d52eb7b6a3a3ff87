package dev.blitz.io.internal.driver;

import java.net.SocketOption;

/**
 * The options that a backend may know beside those of {@link java.net.StandardSocketOptions}. A
 * backend knows an option by its name, so that those of other makers (module {@code jdk.net}) are
 * known too.
 */
public record EndpointOption<T>(String name, Class<T> type) implements SocketOption<T> {
  public static final EndpointOption<Integer> KEEP_ALIVE_IDLE_SECONDS = number("TCP_KEEPIDLE");
  public static final EndpointOption<Integer> KEEP_ALIVE_INTERVAL_SECONDS =
      number("TCP_KEEPINTERVAL");
  public static final EndpointOption<Integer> KEEP_ALIVE_PROBES = number("TCP_KEEPCOUNT");
  public static final EndpointOption<Integer> USER_TIMEOUT_MILLIS = number("TCP_USER_TIMEOUT");
  public static final EndpointOption<Integer> FAST_OPEN_QUEUE = number("TCP_FASTOPEN");
  public static final EndpointOption<Boolean> FAST_OPEN_CONNECT = flag("TCP_FASTOPEN_CONNECT");
  public static final EndpointOption<Boolean> QUICK_ACK = flag("TCP_QUICKACK");
  public static final EndpointOption<Integer> TIME_TO_LIVE = number("IP_TTL");
  public static final EndpointOption<Boolean> IPV6_ONLY = flag("IPV6_V6ONLY");
  public static final EndpointOption<String> DEVICE =
      new EndpointOption<>("SO_BINDTODEVICE", String.class);

  /** Who is at the other end of a Unix stream; can only be asked for. */
  public static final EndpointOption<PeerIdentity> PEER_IDENTITY =
      new EndpointOption<>("SO_PEERCRED", PeerIdentity.class);

  /** A process, as it was when it connected or listened. */
  public record PeerIdentity(int process, int user, int group) {}

  private static EndpointOption<Integer> number(String name) {
    return new EndpointOption<>(name, Integer.class);
  }

  private static EndpointOption<Boolean> flag(String name) {
    return new EndpointOption<>(name, Boolean.class);
  }

  @Override
  public String toString() {
    return name;
  }
}
