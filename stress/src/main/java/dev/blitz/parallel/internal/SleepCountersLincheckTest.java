package dev.blitz.parallel.internal;

import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** The packed word against three plain numbers, with an event counter that wraps. */
@Param(name = "snapshot", gen = IntGen.class, conf = "-1:2")
public class SleepCountersLincheckTest {
  private final SleepCounters counters = new SleepCounters(-1);

  /** A worker becomes inactive. */
  @Operation
  public void addInactive() {
    counters.addInactive();
  }

  /** A worker becomes sleepy. */
  @Operation
  public int announceSleepy() {
    return counters.announceSleepy();
  }

  /** A worker sleeps unless something was posted since its snapshot. */
  @Operation
  public boolean tryAddSleeping(@Param(name = "snapshot") int snapshot) {
    return counters.tryAddSleeping(snapshot);
  }

  /** Something is posted. */
  @Operation
  public String post() {
    return describe(counters.post());
  }

  private static String describe(long word) {
    return SleepCounters.events(word)
        + "/"
        + SleepCounters.inactive(word)
        + "/"
        + SleepCounters.sleeping(word);
  }

  /** What the operations mean one after the other. */
  public static class Sequential {
    private int events = -1;
    private int inactive;
    private int sleeping;

    /** A worker becomes inactive. */
    public void addInactive() {
      inactive++;
    }

    /** Makes the counter even. */
    public int announceSleepy() {
      events += events & 1;
      return events;
    }

    /** Only with the snapshot's count. */
    public boolean tryAddSleeping(int snapshot) {
      if (events != snapshot) {
        return false;
      }
      sleeping++;
      return true;
    }

    /** Makes the counter odd. */
    public String post() {
      events |= 1;
      return events + "/" + inactive + "/" + sleeping;
    }
  }

  @Test
  void counters_areLinearisable() {
    ModelCheck.check(
        new ModelCheckingOptions()
            .threads(3)
            .actorsPerThread(2)
            .sequentialSpecification(Sequential.class),
        getClass());
  }
}
