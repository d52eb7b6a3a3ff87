package dev.blitz.io.internal.driver.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.blitz.io.internal.driver.NativeAccess;
import dev.blitz.testkit.Memory;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bytes on their way between a call and memory of any kind. */
@Strict
@OnceIsEnough
class TransferTest {
  private static final Transfer.Single FILLS_HALF =
      (frame, fd, memory, length) -> {
        memory.asSlice(0, length / 2).fill((byte) fd);
        return (int) length / 2;
      };
  private static final Transfer.Single SUMS =
      (frame, fd, memory, length) -> {
        int sum = 0;
        for (long i = 0; i < length; i++) {
          sum += memory.get(java.lang.foreign.ValueLayout.JAVA_BYTE, i);
        }
        return sum;
      };
  private static final Transfer.Single NOTHING = (frame, fd, memory, length) -> (int) length;

  private CallFrame frame;

  @BeforeEach
  void takeFrame() {
    String obstacle = NativeAccess.obstacle();
    assumeTrue(obstacle == null, obstacle);
    frame = CallFrame.take();
  }

  @Test
  void whatComesAndGoes_isThatBetweenPositionAndLimit() {
    for (var buffer : new ByteBuffer[] {ByteBuffer.allocate(9), ByteBuffer.allocateDirect(9)}) {
      buffer.position(2).limit(8);
      assertThat(Transfer.in(frame, 5, buffer, FILLS_HALF)).isEqualTo(3);
      assertThat(buffer.position()).isEqualTo(2);
      assertThat(buffer.duplicate().clear())
          .isEqualTo(ByteBuffer.wrap(new byte[] {0, 0, 5, 5, 5, 0, 0, 0, 0}));
      assertThat(Transfer.out(frame, 0, buffer.position(4), SUMS)).isEqualTo(5);
      assertThat(buffer.remaining()).isEqualTo(4);
    }
    var part = ByteBuffer.wrap(new byte[] {1, 2, 4, 8, 16}, 1, 3).slice();
    assertThat(Transfer.out(frame, 0, part.asReadOnlyBuffer(), SUMS)).isEqualTo(14);
  }

  @Test
  void longOnes_ofTheHeap_areMovedInParts() {
    int most = CallFrame.STAGING_BYTES;
    assertThat(Transfer.out(frame, 0, ByteBuffer.allocate(most + 1), NOTHING)).isEqualTo(most);
    assertThat(Transfer.in(frame, 0, ByteBuffer.allocate(most + 1), NOTHING)).isEqualTo(most);
    assertThat(Transfer.out(frame, 0, ByteBuffer.allocateDirect(most + 1), NOTHING))
        .isEqualTo(most + 1);
  }

  @Test
  void bytesOfTheHeap_takeNoMemory() {
    var buffer = ByteBuffer.allocate(512);
    Runnable moves =
        () -> {
          for (int i = 0; i < 100; i++) {
            Transfer.in(frame, 0, buffer, NOTHING);
            Transfer.out(frame, 0, buffer, NOTHING);
          }
        };
    moves.run();
    assertThat(Memory.allocatedByEach(moves)).as("of 200 moves").isLessThan(1000);
  }

  /** A call that moves less than that has left nothing. */
  @Test
  void theMost_ofSeveralSegments_isWhatOneCallMoves() {
    int staged = CallFrame.STAGING_BYTES;
    try (var arena = Arena.ofConfined()) {
      MemorySegment far = arena.allocate(100);
      MemorySegment near = MemorySegment.ofArray(new byte[staged - 10]);
      assertThat(Transfer.most(new MemorySegment[] {far})).isEqualTo(100);
      assertThat(Transfer.most(new MemorySegment[] {near})).isEqualTo(staged - 10);
      assertThat(Transfer.most(new MemorySegment[] {far, near, far})).isEqualTo(staged + 190);
      assertThat(Transfer.most(new MemorySegment[] {far, near, near, far})).isEqualTo(staged + 100);
      var many = new MemorySegment[CallFrame.MAX_VECTORS + 1];
      Arrays.fill(many, far);
      assertThat(Transfer.most(many)).isEqualTo(100L * CallFrame.MAX_VECTORS);
    }
  }
}
