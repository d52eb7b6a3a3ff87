package dev.blitz.io.sync;

import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Initialisers that succeed, fail or are given up, beside those who look. */
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class OnceCellLincheckTest {
  private final OnceCell<Integer> cell = OnceCell.create();

  /** Looks. */
  @Operation
  public @Nullable Integer get() {
    return cell.get();
  }

  /** Waits for the value, or makes it. */
  @Operation
  public int getOrInit(@Param(name = "value") int value) {
    var waiting = new Waiting<>(cell.getOrInit(() -> value));
    for (Integer got = waiting.take(); ; got = waiting.take()) {
      if (got != null) {
        return got;
      }
      while (waiting.wakes() == 0) {
        Thread.onSpinWait();
      }
    }
  }

  /** Makes it and fails, unless the value is there or another is at it. */
  @Operation
  public void failOrGiveUp() {
    var waiting =
        new Waiting<Integer>(
            cell.getOrInit(() -> {
              throw new IllegalStateException("on purpose");
            }));
    try {
      if (waiting.take() == null) {
        waiting.drop();
      }
    } catch (IllegalStateException onPurpose) {
      // the next one tries
    }
  }

  @Test
  void onceCell_isLinearisable() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
