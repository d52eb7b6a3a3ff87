package dev.blitz.io.net;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The order in which the addresses of a host are tried, as RFC 8305 has it. */
final class Families {
  private Families() {}

  /** The same addresses, IPv4 and IPv6 by turns for as long as there are both; the first stays. */
  static List<InetAddress> byTurns(List<InetAddress> preferred) {
    if (preferred.size() < 2) {
      return preferred;
    }
    Class<?> family = preferred.getFirst().getClass();
    var same = new ArrayDeque<InetAddress>();
    var other = new ArrayDeque<InetAddress>();
    preferred.forEach(a -> (a.getClass() == family ? same : other).add(a));
    List<InetAddress> order = new ArrayList<>(preferred.size());
    while (!same.isEmpty() || !other.isEmpty()) {
      for (var next : List.of(same, other)) {
        InetAddress address = next.poll();
        if (address != null) {
          order.add(address);
        }
      }
    }
    return order;
  }
}
