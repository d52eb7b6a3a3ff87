package dev.blitz.io.net;

import dev.blitz.io.internal.driver.EndpointOption;
import java.net.SocketOption;

/**
 * Options of sockets beside those of {@link java.net.StandardSocketOptions}. What the system or the
 * backend does not have is refused with an {@link UnsupportedOperationException} that names both.
 *
 * {@snippet :
 * TcpListener listener = TcpListener.builder().option(NetOptions.FAST_OPEN_QUEUE, 256).listen(8080);
 * TcpStream stream =
 *     TcpStream.builder().option(NetOptions.USER_TIMEOUT_MILLIS, 30_000).connect("example.org", 80).await();
 * }
 */
public final class NetOptions {
  private NetOptions() {}

  /** How many seconds a connection is idle before the system asks whether the peer is there. */
  public static final SocketOption<Integer> KEEP_ALIVE_IDLE_SECONDS =
      EndpointOption.KEEP_ALIVE_IDLE_SECONDS;

  /** How many seconds lie between two such questions. */
  public static final SocketOption<Integer> KEEP_ALIVE_INTERVAL_SECONDS =
      EndpointOption.KEEP_ALIVE_INTERVAL_SECONDS;

  /** How many of them remain without an answer before the connection counts as lost. */
  public static final SocketOption<Integer> KEEP_ALIVE_PROBES = EndpointOption.KEEP_ALIVE_PROBES;

  /** After how many milliseconds without an acknowledgement a connection is lost; 0: as ever. */
  public static final SocketOption<Integer> USER_TIMEOUT_MILLIS =
      EndpointOption.USER_TIMEOUT_MILLIS;

  /** Of a listener: how many connections that bring data at once may wait (TCP Fast Open). */
  public static final SocketOption<Integer> FAST_OPEN_QUEUE = EndpointOption.FAST_OPEN_QUEUE;

  /** Of a connection: the first write goes with the request to connect (TCP Fast Open). */
  public static final SocketOption<Boolean> FAST_OPEN_CONNECT = EndpointOption.FAST_OPEN_CONNECT;

  /** Acknowledges at once; the system may end that by itself. */
  public static final SocketOption<Boolean> QUICK_ACK = EndpointOption.QUICK_ACK;

  /** How many routers what is sent may pass. */
  public static final SocketOption<Integer> TIME_TO_LIVE = EndpointOption.TIME_TO_LIVE;

  /** Of an IPv6 socket, before it is bound: takes no IPv4. */
  public static final SocketOption<Boolean> IPV6_ONLY = EndpointOption.IPV6_ONLY;

  /** Uses this network device alone, such as {@code eth0}; may need a right of its own. */
  public static final SocketOption<String> DEVICE = EndpointOption.DEVICE;
}
