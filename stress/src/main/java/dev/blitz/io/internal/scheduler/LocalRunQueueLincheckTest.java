package dev.blitz.io.internal.scheduler;

import dev.blitz.stress.ModelCheck;
import java.util.List;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A ring of four, its owner and two thieves: in every interleaving each task is in one place.
 *
 * <p>A steal may come back empty-handed because the other thief is at work, which no sequential
 * order explains: the operations return nothing, and what must hold is checked at the end.
 */
public class LocalRunQueueLincheckTest {
  private static final int CAPACITY = 4;

  /**
   * More than the operations of a scenario can push. Plain arrays: every call costs the checker.
   */
  private static final int MAX_TASKS = 32;

  private final LocalRunQueue<Integer> ring = new LocalRunQueue<>(CAPACITY, Integer.MAX_VALUE - 2);
  private final Place owner = new Place(ring);
  private final Place thiefA = new Place(new LocalRunQueue<>(CAPACITY));
  private final Place thiefB = new Place(new LocalRunQueue<>(CAPACITY));
  private final int[] overflowed = new int[MAX_TASKS];
  private int pushed;

  /** A party's own ring, and how often it has taken each task; used by one thread at a time. */
  private static final class Place {
    private final LocalRunQueue<Integer> ring;
    private final int[] taken = new int[MAX_TASKS];

    Place(LocalRunQueue<Integer> ring) {
      this.ring = ring;
    }

    void took(@Nullable Integer task) {
      if (task != null) {
        taken[task]++;
      }
    }

    void drain() {
      for (Integer t = ring.pop(); t != null; t = ring.pop()) {
        took(t);
      }
      took(ring.popLifo());
    }
  }

  /** The owner adds a task, or two: full rings are common then. */
  @Operation(nonParallelGroup = "owner")
  public void push() {
    ring.push(pushed++, this::overflow);
    ring.push(pushed++, this::overflow);
  }

  private void overflow(List<@Nullable Integer> tasks, int count) {
    for (int i = 0; i < count; i++) {
      Integer task = tasks.get(i);
      if (task != null) {
        overflowed[task]++;
      }
    }
  }

  /** The owner takes the oldest. */
  @Operation(nonParallelGroup = "owner")
  public void pop() {
    owner.took(ring.pop());
  }

  /** The owner replaces the newest. */
  @Operation(nonParallelGroup = "owner")
  public void swapLifo() {
    owner.took(ring.swapLifo(pushed++));
  }

  /** Takes half into a ring of its own. */
  @Operation(nonParallelGroup = "thiefA")
  public void stealA() {
    thiefA.took(ring.stealInto(thiefA.ring));
  }

  /** Takes half into a ring of its own. */
  @Operation(nonParallelGroup = "thiefB")
  public void stealB() {
    thiefB.took(ring.stealInto(thiefB.ring));
  }

  /** Takes the newest. */
  @Operation(nonParallelGroup = "thiefB")
  public void stealLifo() {
    thiefB.took(ring.stealLifo());
  }

  /** Each task was overflowed, taken, or is in one of the rings. */
  @Validate
  public void eachTaskIsInOnePlace() {
    owner.drain();
    thiefA.drain();
    thiefB.drain();
    for (int i = 0; i < MAX_TASKS; i++) {
      int seen = overflowed[i] + owner.taken[i] + thiefA.taken[i] + thiefB.taken[i];
      if (seen != (i < pushed ? 1 : 0)) {
        throw new IllegalStateException(
            "task " + i + " of " + pushed + " is in " + seen + " places");
      }
    }
  }

  @Test
  void ring_losesAndDoublesNothing() {
    ModelCheck.check(
        new ModelCheckingOptions().threads(3).actorsPerThread(2).actorsBefore(2).actorsAfter(0),
        getClass());
  }
}
