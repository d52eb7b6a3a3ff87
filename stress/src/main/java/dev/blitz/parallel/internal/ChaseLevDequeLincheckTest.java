package dev.blitz.parallel.internal;

import dev.blitz.stress.ModelCheck;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One owner, two thieves, growth from two slots, and an index that wraps. */
public class ChaseLevDequeLincheckTest {
  private final ChaseLevDeque<Integer> deque = new ChaseLevDeque<>(2, Long.MAX_VALUE - 1);

  /** Adds the youngest; only the owner does. */
  @Operation(nonParallelGroup = "owner")
  public void push(int value) {
    deque.push(value);
  }

  /** Takes the youngest; only the owner does. */
  @Operation(nonParallelGroup = "owner")
  public @Nullable Integer pop() {
    return deque.pop();
  }

  /** Takes the oldest. */
  @Operation
  public @Nullable Integer steal() {
    return deque.steal();
  }

  /** What the operations mean one after the other. */
  public static class Sequential {
    private final Deque<Integer> elements = new ArrayDeque<>();

    /** Adds the youngest. */
    public void push(int value) {
      elements.addLast(value);
    }

    /** Takes the youngest. */
    public @Nullable Integer pop() {
      return elements.pollLast();
    }

    /** Takes the oldest. */
    public @Nullable Integer steal() {
      return elements.pollFirst();
    }
  }

  @Test
  void deque_isLinearisable() {
    ModelCheck.check(
        new ModelCheckingOptions()
            .threads(3)
            .actorsPerThread(3)
            .actorsBefore(2)
            .sequentialSpecification(Sequential.class),
        getClass());
  }
}
