package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.io.internal.driver.posix.Pipe;
import dev.blitz.io.internal.driver.socket.SocketDescriptor;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@Strict
class LingeringSocketsTest {
  private final LingeringSockets lingering = new LingeringSockets();

  @BeforeEach
  void needsDescriptors() {
    String obstacle = NativeAccess.obstacleOnLinux();
    assumeTrue(obstacle == null, obstacle);
  }

  @Test
  void oneThatStays_keepsNotAllThatWereClosedAfterIt() throws Exception {
    var ends = Pipe.open();
    SocketDescriptor slow = SocketDescriptor.owning(ends.reader());
    lingering.add(slow);
    SocketDescriptor quick = SocketDescriptor.owning(ends.writer());
    lingering.add(quick);
    quick.close();
    for (int i = 0; i < 5_000; i++) {
      var pipe = Pipe.open();
      for (int number : new int[] {pipe.reader(), pipe.writer()}) {
        SocketDescriptor socket = SocketDescriptor.owning(number);
        lingering.add(socket);
        socket.close();
      }
    }
    assertThat(lingering.size()).isLessThan(1_000);
    assertThat(lingering.isEmpty()).isFalse();
    slow.close();
    assertThat(lingering.isEmpty()).isTrue();
    assertThat(lingering.size()).isZero();
  }

  @Test
  void manyThatStay_areAllKept() throws Exception {
    List<SocketDescriptor> slow = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      var pipe = Pipe.open();
      for (int number : new int[] {pipe.reader(), pipe.writer()}) {
        SocketDescriptor socket = SocketDescriptor.owning(number);
        slow.add(socket);
        lingering.add(socket);
      }
    }
    assertThat(lingering.size()).isEqualTo(300);
    slow.forEach(SocketDescriptor::close);
    assertThat(lingering.isEmpty()).isTrue();
  }
}
