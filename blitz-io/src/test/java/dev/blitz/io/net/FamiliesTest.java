package dev.blitz.io.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FamiliesTest {

  private static List<String> order(String... hosts) {
    var addresses = Stream.of(hosts).map(InetAddress::ofLiteral).toList();
    return Families.byTurns(addresses).stream()
        .map(a -> a.getHostAddress().replaceAll("0(:0)+:", "::"))
        .toList();
  }

  @Test
  void byTurns_mixesFamilies_andKeepsTheOrderWithin() {
    assertThat(order("::1", "::2", "::3", "127.0.0.1", "127.0.0.2"))
        .containsExactly("::1", "127.0.0.1", "::2", "127.0.0.2", "::3");
    assertThat(order("127.0.0.1", "127.0.0.2", "::1"))
        .containsExactly("127.0.0.1", "::1", "127.0.0.2");
    assertThat(order("127.0.0.1")).containsExactly("127.0.0.1");
    assertThat(order("::1", "::2")).containsExactly("::1", "::2");
    assertThat(Families.byTurns(List.of())).isEmpty();
  }
}
