package dev.blitz.io.channel;

import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Permits and messages share the room of a channel of two. */
@Param(name = "value", gen = IntGen.class, conf = "1:9")
public class PermitLincheckTest {
  private final BoundedRing<Integer> ring = new BoundedRing<>(2);

  /** Permits that the holder has. */
  private int held;

  /** Takes a permit. */
  @Operation(nonParallelGroup = "holder")
  public SendResult reserve() {
    SendResult result = ring.tryReserve();
    held += result == SendResult.SENT ? 1 : 0;
    return result;
  }

  /** Uses a permit, if there is one. */
  @Operation(nonParallelGroup = "holder")
  public boolean sendReserved(@Param(name = "value") int value) {
    if (held == 0) {
      return false;
    }
    held--;
    ring.sendReserved(value);
    return true;
  }

  /** Gives a permit back, if there is one. */
  @Operation(nonParallelGroup = "holder")
  public boolean release() {
    if (held == 0) {
      return false;
    }
    held--;
    ring.release();
    return true;
  }

  /** Without a permit. */
  @Operation
  public SendResult trySend(@Param(name = "value") int value) {
    return ring.trySend(value);
  }

  /** The oldest. */
  @Operation
  public @Nullable Integer tryReceive() {
    return ring.tryReceive();
  }

  /** Those who have a permit may still send. */
  @Operation
  public boolean close() {
    return ring.close();
  }

  /** Closed, and no permit is out. */
  @Operation
  public boolean isDrained() {
    return ring.isDrained();
  }

  @Test
  void ring_isLinearisable() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
