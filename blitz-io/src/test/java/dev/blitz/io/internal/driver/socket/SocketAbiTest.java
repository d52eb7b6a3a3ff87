package dev.blitz.io.internal.driver.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.UnixName;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Platform;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
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
    assertThat(SocketAbi.MMSGHDR.byteSize()).isEqualTo(64);
    assertThat(SocketAbi.MMSGHDR.byteOffset(PathElement.groupElement("msg_len"))).isEqualTo(56);
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
  }

  @Test
  void namesOfOtherSystems_lieAsTheyHaveThem() throws Exception {
    var macos = AddressAbi.of(Platform.MACOS);
    var freebsd = AddressAbi.of(Platform.FREEBSD);
    var four = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0x1234);
    byte[] expected = {16, 2, 0x12, 0x34, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    assertThat(written(four, AddressFamily.IPV4, macos)).isEqualTo(expected);
    assertThat(written(four, AddressFamily.IPV4, freebsd)).isEqualTo(expected);

    var six = new InetSocketAddress(InetAddress.ofLiteral("::1"), 80);
    assertThat(written(six, AddressFamily.IPV6, macos)).hasSize(28).startsWith(28, 30, 0, 80);
    assertThat(written(six, AddressFamily.IPV6, freebsd)).hasSize(28).startsWith(28, 28, 0, 80);

    var path = UnixName.of("/a".getBytes(StandardCharsets.UTF_8));
    assertThat(written(path, AddressFamily.UNIX, macos)).containsExactly(5, 1, '/', 'a', 0);
    assertThat(written(path, AddressFamily.UNIX, AddressAbi.of(Platform.LINUX)))
        .hasSize(5)
        .endsWith('/', 'a', 0);
  }

  @Test
  void namesOfOtherSystems_comeBackAsTheyWent_exceptThoseOfLinuxAlone() throws Exception {
    for (var platform : new Platform[] {Platform.MACOS, Platform.FREEBSD}) {
      var layout = AddressAbi.of(platform);
      for (String host : new String[] {"127.0.0.1", "2001:db8::ff00:42:8329"}) {
        var name = new InetSocketAddress(InetAddress.ofLiteral(host), 65_535);
        assertThat(roundTrip(name, AddressFamily.of(name.getAddress()), layout)).isEqualTo(name);
      }
      var longest = UnixName.of("x".repeat(103).getBytes(StandardCharsets.UTF_8));
      assertThat(roundTrip(longest, AddressFamily.UNIX, layout)).isEqualTo(longest);
      var tooLong = UnixName.of("x".repeat(104).getBytes(StandardCharsets.UTF_8));
      assertThatThrownBy(() -> roundTrip(tooLong, AddressFamily.UNIX, layout))
          .hasMessageContaining("at most");
      var hidden = UnixName.of("\0x".getBytes(StandardCharsets.UTF_8));
      assertThatThrownBy(() -> roundTrip(hidden, AddressFamily.UNIX, layout))
          .isInstanceOf(SocketException.class)
          .hasMessageContaining("only Linux");
      try (var arena = Arena.ofConfined()) { // what they answer for a socket without a name
        var segment = arena.allocate(CallFrame.ADDRESS_BYTES, 8);
        layout.begin(segment, SocketAbi.AF_UNIX, 16);
        assertThat(SocketNames.read(segment, 16, layout)).isEqualTo(UnixName.UNNAMED);
      }
    }
  }

  private static byte[] written(SocketAddress name, AddressFamily family, AddressAbi layout)
      throws Exception {
    try (var arena = Arena.ofConfined()) {
      var segment = arena.allocate(CallFrame.ADDRESS_BYTES, 8);
      int length = SocketNames.write(segment, name, family, layout);
      return segment.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  private static SocketAddress roundTrip(
      SocketAddress name, AddressFamily family, AddressAbi layout) throws Exception {
    try (var arena = Arena.ofConfined()) {
      var segment = arena.allocate(CallFrame.ADDRESS_BYTES, 8);
      int length = SocketNames.write(segment, name, family, layout);
      return SocketNames.read(segment, length, layout);
    }
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
