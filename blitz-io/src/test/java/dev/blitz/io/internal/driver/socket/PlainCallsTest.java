package dev.blitz.io.internal.driver.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.testkit.Strict;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is done by several calls where there is no single one: it works here too. */
@Strict
class PlainCallsTest {
  private static final int F_GETFD = 1;

  private CallFrame frame;

  @BeforeEach
  void open() {
    String obstacle = NativeAccess.obstacle();
    assumeTrue(obstacle == null, obstacle);
    frame = CallFrame.take();
  }

  @AfterEach
  void close() {
    if (frame != null) {
      frame.giveBack();
    }
  }

  private void assertOurs(int fd) {
    assertThat(PosixCalls.control(frame, fd, F_GETFD, 0)).as("not inherited").isEqualTo(1);
    assertThat(PosixCalls.control(frame, fd, PosixAbi.F_GETFL, 0) & PosixAbi.O_NONBLOCK)
        .isNotZero();
  }

  @Test
  void plainAccept_answersASocketAsAcceptDoes() throws Exception {
    var loopback = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    var listening = SocketHandle.openSocket(AddressFamily.IPV4);
    var connecting = SocketHandle.openSocket(AddressFamily.IPV4);
    try {
      var listener = new SocketHandle("test", listening, AddressFamily.IPV4, call -> false);
      listener.bind(loopback);
      listener.listen(1);
      int number = listening.number();
      assertThat(SocketCalls.plainAccept(frame, number)).isEqualTo(-Errno.EAGAIN);
      var client = new SocketHandle("test", connecting, AddressFamily.IPV4, call -> false);
      client.beginConnect(listener.localAddress());
      while ((PosixCalls.readiness(frame, number, PosixAbi.POLLIN) & PosixAbi.POLLIN) == 0) {
        Thread.onSpinWait();
      }
      int accepted = SocketCalls.plainAccept(frame, number);
      assertThat(accepted).isPositive();
      assertOurs(accepted);
      PosixCalls.close(accepted);
    } finally {
      listening.close();
      connecting.close();
    }
  }

  @Test
  void aPair_isMadeOurs_orClosed() {
    int[] ends = new int[2];
    assertThat(SocketCalls.pair(frame, ends)).isZero();
    assertThat(SocketCalls.madeOurs(frame, ends)).isZero();
    assertOurs(ends[0]);
    assertOurs(ends[1]);
    PosixCalls.close(ends[1]);
    int[] half = {ends[0], 1 << 20};
    assertThat(SocketCalls.madeOurs(frame, half)).isEqualTo(-Errno.EBADF);
    assertThat(PosixCalls.control(frame, ends[0], F_GETFD, 0))
        .as("closed with the other")
        .isEqualTo(-Errno.EBADF);
  }
}
