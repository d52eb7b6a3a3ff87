package dev.blitz.io.internal.scheduler;

import dev.blitz.stress.ModelCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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

  private final LocalRunQueue<Integer> ring = new LocalRunQueue<>(CAPACITY, Integer.MAX_VALUE - 2);
  private final Place owner = new Place(ring);
  private final Place thiefA = new Place(new LocalRunQueue<>(CAPACITY));
  private final Place thiefB = new Place(new LocalRunQueue<>(CAPACITY));
  private final List<Integer> overflowed = new ArrayList<>();
  private int pushed;

  /** A party's own ring, and what it has taken so far; used by one thread at a time. */
  private record Place(LocalRunQueue<Integer> ring, List<Integer> taken) {
    Place(LocalRunQueue<Integer> ring) {
      this(ring, new ArrayList<>());
    }

    void took(@Nullable Integer task) {
      if (task != null) {
        taken.add(task);
      }
    }

    void drain() {
      for (Integer t = ring.pop(); t != null; t = ring.pop()) {
        taken.add(t);
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
      overflowed.add(tasks.get(i));
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
    var all = new ArrayList<>(overflowed);
    all.addAll(owner.taken);
    all.addAll(thiefA.taken);
    all.addAll(thiefB.taken);
    all.sort(null);
    if (!all.equals(IntStream.range(0, pushed).boxed().toList())) {
      throw new IllegalStateException(
          "%d pushed; overflowed %s, owner %s, thieves %s and %s"
              .formatted(pushed, overflowed, owner.taken, thiefA.taken, thiefB.taken));
    }
  }

  @Test
  void ring_losesAndDoublesNothing() {
    ModelCheck.check(
        new ModelCheckingOptions().threads(3).actorsPerThread(2).actorsBefore(2).actorsAfter(0),
        getClass());
  }
}
