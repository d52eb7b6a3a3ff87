package dev.blitz.io.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class StagingBuffersTest {

  @Test
  void aBuffer_isTheSmallestThatHolds_andComesBackToTheNext() {
    var staging = new StagingBuffers(new int[] {4, 8}, 2);
    ByteBuffer small = staging.take(3);
    assertThat(small.capacity()).isEqualTo(4);
    assertThat(small.remaining()).isEqualTo(3);
    assertThat(staging.take(5).capacity()).isEqualTo(8);
    assertThat(staging.take(100).remaining()).isEqualTo(8);
    small.position(1);
    staging.giveBack(small);
    assertThat(staging.take(4)).isSameAs(small);
    assertThat(small.position()).isZero();
    assertThat(small.remaining()).isEqualTo(4);
  }

  @Test
  void noMoreAreKept_thanTheBound() {
    var staging = new StagingBuffers(new int[] {4}, 2);
    ByteBuffer[] three = {staging.take(1), staging.take(1), staging.take(1)};
    for (ByteBuffer buffer : three) {
      staging.giveBack(buffer);
    }
    assertThat(staging.keptNow()).isEqualTo(2);
    assertThatThrownBy(() -> staging.giveBack(ByteBuffer.allocateDirect(5)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
