package dev.blitz.io.internal.driver.socket;

import static java.util.Map.entry;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.EndpointOption.PeerIdentity;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Socket options by their kernel spelling. */
final class SocketOptions {
  private SocketOptions() {}

  /** Options of a Unix socket and those of a socket for both families are among them. */
  private static final int NONE = SocketAbi.ABSENT;

  private static final int VALUE_BYTES = 16;

  /** How the kernel wants a value. */
  private enum Form {
    FLAG(Boolean.class),
    NUMBER(Integer.class),
    LINGER(Integer.class),
    TEXT(String.class),
    INTERFACE(NetworkInterface.class),
    IDENTITY(PeerIdentity.class);

    final Class<?> type;

    Form(Class<?> type) {
      this.type = type;
    }
  }

  /** Level and name, for IPv4 (or any socket) and for IPv6. */
  private record Spelling(Form form, int level, int name, int level6, int name6) {}

  private static Spelling socket(Form form, int name) {
    return new Spelling(form, SocketAbi.SOL_SOCKET, name, SocketAbi.SOL_SOCKET, name);
  }

  private static Spelling socket(Form form, SocketNumber name) {
    return socket(form, name.here());
  }

  private static Spelling tcp(Form form, SocketNumber name) {
    int here = name.here();
    return new Spelling(form, SocketAbi.IPPROTO_TCP, here, SocketAbi.IPPROTO_TCP, here);
  }

  private static Spelling ip(Form form, SocketNumber name, SocketNumber name6) {
    return new Spelling(
        form, SocketAbi.IPPROTO_IP, name.here(), SocketAbi.IPPROTO_IPV6, name6.here());
  }

  private static final Map<String, Spelling> KNOWN =
      Map.ofEntries(
          entry("SO_REUSEADDR", socket(Form.FLAG, SocketNumber.SO_REUSEADDR)),
          entry("SO_REUSEPORT", socket(Form.FLAG, SocketNumber.SO_REUSEPORT)),
          entry("SO_KEEPALIVE", socket(Form.FLAG, SocketNumber.SO_KEEPALIVE)),
          entry("SO_BROADCAST", socket(Form.FLAG, SocketNumber.SO_BROADCAST)),
          entry("SO_LINGER", socket(Form.LINGER, SocketNumber.SO_LINGER)),
          entry("SO_SNDBUF", socket(Form.NUMBER, SocketNumber.SO_SNDBUF)),
          entry("SO_RCVBUF", socket(Form.NUMBER, SocketNumber.SO_RCVBUF)),
          entry("SO_BINDTODEVICE", socket(Form.TEXT, SocketNumber.SO_BINDTODEVICE)),
          entry("SO_PEERCRED", socket(Form.IDENTITY, PeerAbi.here().option())),
          entry("TCP_NODELAY", tcp(Form.FLAG, SocketNumber.TCP_NODELAY)),
          entry("TCP_QUICKACK", tcp(Form.FLAG, SocketNumber.TCP_QUICKACK)),
          entry("TCP_KEEPIDLE", tcp(Form.NUMBER, SocketNumber.TCP_KEEPIDLE)),
          entry("TCP_KEEPINTERVAL", tcp(Form.NUMBER, SocketNumber.TCP_KEEPINTVL)),
          entry("TCP_KEEPCOUNT", tcp(Form.NUMBER, SocketNumber.TCP_KEEPCNT)),
          entry("TCP_USER_TIMEOUT", tcp(Form.NUMBER, SocketNumber.TCP_USER_TIMEOUT)),
          entry("TCP_FASTOPEN", tcp(Form.NUMBER, SocketNumber.TCP_FASTOPEN)),
          entry("TCP_FASTOPEN_CONNECT", tcp(Form.FLAG, SocketNumber.TCP_FASTOPEN_CONNECT)),
          entry("IP_TOS", ip(Form.NUMBER, SocketNumber.IP_TOS, SocketNumber.IPV6_TCLASS)),
          entry("IP_TTL", ip(Form.NUMBER, SocketNumber.IP_TTL, SocketNumber.IPV6_UNICAST_HOPS)),
          entry(
              "IP_MULTICAST_TTL",
              ip(Form.NUMBER, SocketNumber.IP_MULTICAST_TTL, SocketNumber.IPV6_MULTICAST_HOPS)),
          entry(
              "IP_MULTICAST_LOOP",
              ip(Form.FLAG, SocketNumber.IP_MULTICAST_LOOP, SocketNumber.IPV6_MULTICAST_LOOP)),
          entry(
              "IP_MULTICAST_IF",
              ip(Form.INTERFACE, SocketNumber.IP_MULTICAST_IF, SocketNumber.IPV6_MULTICAST_IF)),
          entry(
              "IPV6_V6ONLY",
              new Spelling(
                  Form.FLAG, NONE, NONE, SocketAbi.IPPROTO_IPV6, SocketNumber.IPV6_V6ONLY.here())));

  private static @Nullable Spelling find(SocketOption<?> option, AddressFamily family) {
    Spelling found = KNOWN.get(option.name());
    if (found == null || !found.form.type.equals(option.type())) {
      return null;
    }
    boolean wide = family == AddressFamily.IPV6;
    if ((wide ? found.name6 : found.name) == SocketAbi.ABSENT) {
      return null;
    }
    int level = wide ? found.level6 : found.level;
    boolean fits = family == AddressFamily.UNIX ? level == SocketAbi.SOL_SOCKET : level != NONE;
    return fits ? found : null;
  }

  /** Whether sockets of {@code family} have it. */
  static boolean isKnown(SocketOption<?> option, AddressFamily family) {
    return find(option, family) != null;
  }

  /** For one that {@linkplain #isKnown is known}: 0, or {@code -errno}. */
  static <T> int set(CallFrame frame, int fd, AddressFamily family, SocketOption<T> option, T value)
      throws SocketException {
    Spelling known = required(option, family);
    if (family != AddressFamily.IPV6) {
      return set(frame, fd, known.level, known.name, known.form, value, false);
    }
    int r = set(frame, fd, known.level6, known.name6, known.form, value, true);
    if (r >= 0 && known.level == SocketAbi.IPPROTO_IP) {
      // For peers that the socket reaches by IPv4. A failure is one of a system that has no IPv4.
      set(frame, fd, known.level, known.name, known.form, value, false);
    }
    return r;
  }

  private static int set(
      CallFrame frame, int fd, int level, int name, Form form, Object value, boolean wide)
      throws SocketException {
    int length = write(frame, form, value, wide);
    return SocketCalls.setOption(frame, fd, level, name, length);
  }

  /** Writes into the frame's value; how many bytes. */
  private static int write(CallFrame frame, Form form, Object value, boolean wide)
      throws SocketException {
    switch (form) {
      case FLAG -> PosixAbi.setIntAt(frame.value(), 0, (Boolean) value ? 1 : 0);
      case NUMBER -> PosixAbi.setIntAt(frame.value(), 0, (Integer) value);
      case LINGER -> {
        int seconds = (Integer) value;
        PosixAbi.setIntAt(frame.value(), 0, seconds >= 0 ? 1 : 0);
        PosixAbi.setIntAt(frame.value(), 4, Math.max(seconds, 0));
        return 8;
      }
      case TEXT -> {
        byte[] text = ((String) value).getBytes(StandardCharsets.UTF_8);
        if (text.length >= VALUE_BYTES) {
          throw new SocketException("too long for the name of a device: " + value);
        }
        frame.value().fill((byte) 0);
        SocketNames.copy(text, frame.value(), 0);
        return text.length + 1;
      }
      case INTERFACE -> {
        var device = (NetworkInterface) value;
        if (!wide) {
          frame.value().fill((byte) 0);
          byte[] own = firstIpv4(device);
          if (own != null) {
            SocketNames.copy(own, frame.value(), 4); // or it could not be asked for
          }
          PosixAbi.setIntAt(frame.value(), 8, device.getIndex());
          return SocketAbi.MEMBERSHIP_BYTES;
        }
        PosixAbi.setIntAt(frame.value(), 0, device.getIndex());
      }
      case IDENTITY -> throw new SocketException("who the peer is can only be asked");
    }
    return 4;
  }

  private static byte @Nullable [] firstIpv4(NetworkInterface device) {
    return device
        .inetAddresses()
        .filter(Inet4Address.class::isInstance)
        .map(InetAddress::getAddress)
        .findFirst()
        .orElse(null);
  }

  /** For one that is known: 0, or {@code -errno}; then the frame is to be {@link #read}. */
  static int get(CallFrame frame, int fd, AddressFamily family, SocketOption<?> option) {
    Spelling known = required(option, family);
    if (known.form == Form.IDENTITY) {
      return PeerAbi.here().ask(frame, fd);
    }
    boolean wide = family == AddressFamily.IPV6;
    int level = wide ? known.level6 : known.level;
    int name = wide ? known.name6 : known.name;
    int length =
        switch (known.form) {
          case LINGER -> 8;
          case TEXT -> VALUE_BYTES;
          default -> 4;
        };
    PosixAbi.setIntAt(frame.value(), 0, 0); // some systems answer a single byte
    return SocketCalls.getOption(frame, fd, level, name, length);
  }

  /** What {@link #get} has found. */
  static <T> T read(CallFrame frame, AddressFamily family, SocketOption<T> option)
      throws SocketException {
    int first = PosixAbi.intAt(frame.value(), 0);
    Object value =
        switch (required(option, family).form) {
          case FLAG -> first != 0;
          case NUMBER -> first;
          case LINGER -> first == 0 ? -1 : PosixAbi.intAt(frame.value(), 4);
          case TEXT -> {
            byte[] text = bytes(frame, PosixAbi.intAt(frame.length(), 0));
            int end = text.length;
            while (end > 0 && text[end - 1] == 0) {
              end--;
            }
            yield new String(text, 0, end, StandardCharsets.UTF_8);
          }
          case INTERFACE -> device(frame, family, first);
          case IDENTITY -> PeerAbi.here().read(frame);
        };
    return option.type().cast(value);
  }

  private static NetworkInterface device(CallFrame frame, AddressFamily family, int first)
      throws SocketException {
    NetworkInterface found = null;
    if (first != 0 && family == AddressFamily.IPV6) {
      found = NetworkInterface.getByIndex(first);
    } else if (first != 0) {
      try {
        found = NetworkInterface.getByInetAddress(InetAddress.getByAddress(bytes(frame, 4)));
      } catch (UnknownHostException e) {
        throw new AssertionError("four bytes are an address", e);
      }
    }
    if (found == null) {
      throw new SocketException("no interface has been set: the routing table tells");
    }
    return found;
  }

  private static byte[] bytes(CallFrame frame, int count) {
    byte[] bytes = new byte[VALUE_BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) SocketAbi.byteAt(frame.value(), i);
    }
    return Arrays.copyOf(bytes, count);
  }

  private static Spelling required(SocketOption<?> option, AddressFamily family) {
    Spelling known = find(option, family);
    if (known == null) {
      throw new UnsupportedOperationException("no option " + option.name());
    }
    return known;
  }

  /** Joins or leaves a group: 0, or {@code -errno}. */
  static int member(
      CallFrame frame,
      int fd,
      InetAddress group,
      NetworkInterface by,
      AddressFamily family,
      boolean joins) {
    int device = by.getIndex();
    byte[] bytes = group.getAddress();
    frame.address().fill((byte) 0);
    SocketNames.copy(bytes, frame.address(), 0);
    if (group instanceof Inet4Address) {
      byte[] own = firstIpv4(by);
      if (own != null) {
        SocketNames.copy(own, frame.address(), 4); // for systems that do not look at the number
      }
      PosixAbi.setIntAt(frame.address(), 8, device);
      var name = joins ? SocketNumber.IP_ADD_MEMBERSHIP : SocketNumber.IP_DROP_MEMBERSHIP;
      return SocketCalls.setLongOption(
          frame, fd, SocketAbi.IPPROTO_IP, name.here(), SocketAbi.MEMBERSHIP_BYTES);
    }
    if (family != AddressFamily.IPV6) {
      return -Errno.EAFNOSUPPORT;
    }
    PosixAbi.setIntAt(frame.address(), bytes.length, device);
    var name = joins ? SocketNumber.IPV6_ADD_MEMBERSHIP : SocketNumber.IPV6_DROP_MEMBERSHIP;
    return SocketCalls.setLongOption(
        frame, fd, SocketAbi.IPPROTO_IPV6, name.here(), SocketAbi.MEMBERSHIP6_BYTES);
  }
}
