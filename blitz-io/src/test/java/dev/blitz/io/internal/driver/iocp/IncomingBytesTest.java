package dev.blitz.io.internal.driver.iocp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

@Strict
@OnceIsEnough
class IncomingBytesTest {
  private static final int LARGE = 16 << 10;

  private static long address(ByteBuffer memory) {
    return MemorySegment.ofBuffer(memory).address();
  }

  private static byte[] taken(IncomingBytes in, int most, boolean peek) {
    var target = new byte[most];
    long n = in.copyTo(new MemorySegment[] {MemorySegment.ofArray(target)}, peek);
    return java.util.Arrays.copyOf(target, (int) n);
  }

  private static void receive(IncomingBytes in, int room, byte... bytes) {
    in.room(room).put(bytes);
    in.received(bytes.length);
  }

  @Test
  void whatRests_isForTheNextOne_thatNeedsAsMuch() {
    var first = new IncomingBytes();
    long address = address(first.room(LARGE));
    first.rest();
    var second = new IncomingBytes();
    assertThat(address(second.room(LARGE / 2))).as("it needs less").isNotEqualTo(address);
    var third = new IncomingBytes();
    assertThat(address(third.room(LARGE))).isEqualTo(address);
    var fourth = new IncomingBytes();
    assertThat(address(fourth.room(LARGE))).as("it is taken once").isNotEqualTo(address);
  }

  @Test
  void oneThatRests_hasOtherMemoryAfterThat_orTheSameAgain() {
    var in = new IncomingBytes();
    receive(in, LARGE, (byte) 1);
    assertThat(taken(in, 4, false)).containsExactly(1);
    in.rest();
    in.rest();
    assertThat(in.size()).isZero();
    receive(in, LARGE, (byte) 2, (byte) 3);
    assertThat(taken(in, 4, false)).containsExactly(2, 3);
  }

  @Test
  void little_isKept() {
    var in = new IncomingBytes();
    long address = address(in.room(SpareMemory.KEPT));
    in.rest();
    assertThat(address(new IncomingBytes().room(SpareMemory.KEPT))).isNotEqualTo(address);
    assertThat(address(in.room(SpareMemory.KEPT))).isEqualTo(address);
  }

  @Test
  void whatMoves_leavesItsOldMemory_andLosesNothing() {
    var in = new IncomingBytes();
    receive(in, LARGE, (byte) 1, (byte) 2);
    assertThat(taken(in, 1, false)).containsExactly(1);
    receive(in, LARGE, (byte) 3); // has to move
    receive(new IncomingBytes(), LARGE, (byte) 9); // into the memory that it had
    assertThat(taken(in, 4, true)).containsExactly(2, 3);
    assertThat(taken(in, 4, false)).containsExactly(2, 3);
  }

  @Test
  void nobodyAsksForMore_thanARowOfReadsHasBrought() {
    var size = new ReadSize();
    int most = IocpTuning.MOST_IN;
    assertThat(size.of(most)).isEqualTo(IocpTuning.FIRST_IN);
    assertThat(size.of(3)).isEqualTo(3);
    size.brought(3, 3); // its reader had no more room: that tells nothing
    assertThat(size.of(most)).isEqualTo(IocpTuning.FIRST_IN);
    for (int i = 0; i < 4; i++) {
      size.brought(size.of(most), size.of(most));
    }
    assertThat(size.of(most)).isEqualTo(most);
    size.brought(most, most / 2);
    assertThat(size.of(most)).isEqualTo(most);
    for (int i = 0; i < 8; i++) {
      size.brought(size.of(most), 100);
    }
    assertThat(size.of(most)).isEqualTo(IocpTuning.FIRST_IN);
  }
}
