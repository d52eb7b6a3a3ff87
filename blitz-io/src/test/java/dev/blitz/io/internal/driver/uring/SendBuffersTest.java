package dev.blitz.io.internal.driver.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blitz.testkit.Strict;
import org.junit.jupiter.api.Test;

@Strict
class SendBuffersTest {

  @Test
  void pieces_areUsedAgain_andCounted() {
    try (var buffers = new SendBuffers()) {
      var first = buffers.take();
      assertThat(first).isNotNull();
      assertThat(buffers.inUse()).isOne();
      if (first != null) {
        buffers.giveBack(first);
      }
      assertThat(buffers.inUse()).isZero();
      assertThat(buffers.take()).isSameAs(first);
    }
  }

  /** Closing a runtime waits for pieces that are in use: one that was never made is not. */
  @Test
  void aPiece_thatCouldNotBeMade_isNotInUse() {
    var buffers = new SendBuffers();
    buffers.close(); // no memory is to be had any more
    assertThatThrownBy(buffers::take).isInstanceOf(IllegalStateException.class);
    assertThat(buffers.inUse()).isZero();
  }
}
