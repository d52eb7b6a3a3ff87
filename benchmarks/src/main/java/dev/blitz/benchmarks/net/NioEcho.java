package dev.blitz.benchmarks.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** The echo server of datagrams on the JDK's channel: one thread that waits in it. */
final class NioEcho {
  private NioEcho() {}

  static void runUdp() throws Exception {
    try (var channel = DatagramChannel.open()) {
      channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      EchoServers.announce(((InetSocketAddress) channel.getLocalAddress()).getPort());
      var buffer = ByteBuffer.allocateDirect(EchoServers.DATAGRAM_BYTES);
      while (true) {
        SocketAddress sender = channel.receive(buffer.clear());
        channel.send(buffer.flip(), sender);
      }
    }
  }
}
