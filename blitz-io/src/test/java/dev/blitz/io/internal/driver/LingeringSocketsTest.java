package dev.blitz.io.internal.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class LingeringSocketsTest {
  private final LingeringSockets lingering = new LingeringSockets();

  private static final class Socket implements LingeringSockets.Bound {
    final boolean bound;
    boolean gone;

    Socket(boolean bound) {
      this.bound = bound;
    }

    @Override
    public boolean isBound() {
      return bound;
    }

    @Override
    public boolean isGone() {
      return gone;
    }
  }

  private Socket closed() {
    var socket = new Socket(true);
    lingering.add(socket);
    return socket;
  }

  @Test
  void oneThatStays_keepsNotAllThatWereClosedAfterIt() {
    Socket slow = closed();
    for (int i = 0; i < 10_000; i++) {
      closed().gone = true;
    }
    assertThat(lingering.size()).isLessThan(1_000);
    assertThat(lingering.isEmpty()).isFalse();
    slow.gone = true;
    assertThat(lingering.isEmpty()).isTrue();
    assertThat(lingering.size()).isZero();
  }

  @Test
  void manyThatStay_areAllKept() {
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      slow.add(closed());
    }
    assertThat(lingering.size()).isEqualTo(300);
    slow.forEach(socket -> socket.gone = true);
    assertThat(lingering.isEmpty()).isTrue();
  }

  @Test
  void oneWithoutAnAddress_isNotKept() {
    lingering.add(new Socket(false));
    assertThat(lingering.isEmpty()).isTrue();
  }
}
