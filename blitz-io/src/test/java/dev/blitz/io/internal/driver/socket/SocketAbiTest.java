package dev.blitz.io.internal.driver.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.UnixName;
import dev.blitz.io.internal.driver.posix.CallFrame;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SocketAbiTest {
  @Test
  void layouts_haveTheKernelsSizes() {
    assertThat(SocketAbi.SOCKADDR_IN.byteSize()).isEqualTo(16);
    assertThat(SocketAbi.SOCKADDR_IN6.byteSize()).isEqualTo(28);
    assertThat(SocketAbi.MSGHDR.byteSize()).isEqualTo(56);
    assertThat(SocketAbi.MSGHDR.byteOffset(PathElement.groupElement("msg_iov"))).isEqualTo(16);
    assertThat(SocketAbi.SOCKADDR_IN6.byteOffset(PathElement.groupElement("sin6_scope_id")))
        .isEqualTo(SocketAbi.SCOPE_OFFSET);
  }

  @Test
  void names_comeBackAsTheyWent() throws Exception {
    for (String host : new String[] {"127.0.0.1", "192.0.2.255", "::1", "2001:db8::ff00:42:8329"}) {
      var name = new InetSocketAddress(InetAddress.ofLiteral(host), 65_535);
      assertThat(roundTrip(name, AddressFamily.of(name.getAddress()))).isEqualTo(name);
    }
    var scoped = new InetSocketAddress(InetAddress.ofLiteral("fe80::1%3"), 7);
    assertThat(roundTrip(scoped, AddressFamily.IPV6)).isEqualTo(scoped);
  }

  @Test
  void anIpv4Name_inAnIpv6Socket_isMapped_andComesBackPlain() throws Exception {
    var name = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 80);
    assertThat(roundTrip(name, AddressFamily.IPV6)).isEqualTo(name);
    var any = new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 80);
    assertThat(roundTrip(any, AddressFamily.IPV6).getAddress().isAnyLocalAddress()).isTrue();
  }

  @Test
  void namesThatCannotBeWritten_areRefused() throws Exception {
    var six = new InetSocketAddress(InetAddress.ofLiteral("::1"), 80);
    assertThatThrownBy(() -> roundTrip(six, AddressFamily.IPV4))
        .isInstanceOf(SocketException.class);
    var unresolved = InetSocketAddress.createUnresolved("example.invalid", 80);
    assertThatThrownBy(() -> roundTrip(unresolved, AddressFamily.IPV4))
        .isInstanceOf(UnknownHostException.class);
  }

  @Test
  void unixNames_comeBackAsTheyWent() throws Exception {
    for (String name :
        new String[] {"/run/a.sock", "relative", "\0abstract", "\0", "x".repeat(107)}) {
      assertThat(unixRoundTrip(name).toString()).isEqualTo(name.replace('\0', '@'));
    }
    assertThat(unixRoundTrip("").isUnnamed()).isTrue();
    assertThat(unixRoundTrip("\0" + "x".repeat(107)).length()).isEqualTo(108);
    for (String name : new String[] {"x".repeat(108), "\0" + "x".repeat(108)}) {
      assertThatThrownBy(() -> unixRoundTrip(name))
          .isInstanceOf(SocketException.class)
          .hasMessageContaining("at most");
    }
    assertThat(SocketAbi.SOCKADDR_UN.byteSize()).isEqualTo(110);
  }

  private static UnixName unixRoundTrip(String name) throws Exception {
    try (var arena = Arena.ofConfined()) {
      var segment = arena.allocate(CallFrame.ADDRESS_BYTES, 8);
      var address = UnixName.of(name.getBytes(StandardCharsets.UTF_8));
      int length = SocketNames.write(segment, address, AddressFamily.UNIX);
      return (UnixName) SocketNames.read(segment, length);
    }
  }

  private static InetSocketAddress roundTrip(InetSocketAddress name, AddressFamily family)
      throws Exception {
    try (var arena = Arena.ofConfined()) {
      var segment = arena.allocate(CallFrame.ADDRESS_BYTES, 8);
      int length = SocketNames.write(segment, name, family);
      assertThat(length).isEqualTo(family == AddressFamily.IPV4 ? 16 : 28);
      return (InetSocketAddress) SocketNames.read(segment, length);
    }
  }
}
