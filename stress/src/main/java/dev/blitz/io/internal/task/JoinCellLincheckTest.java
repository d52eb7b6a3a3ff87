package dev.blitz.io.internal.task;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Waker;
import dev.blitz.stress.ModelCheck;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Several join a task that ends meanwhile: each gets the result or is woken for it. */
public class JoinCellLincheckTest {
  private final RunningCell task = new RunningCell(new CountingHome());
  private final ConcurrentLinkedQueue<Joiner> waiting = new ConcurrentLinkedQueue<>();

  private static final class Joiner implements Waker {
    private volatile boolean woken;

    @Override
    public void wake() {
      woken = true;
    }
  }

  /** Asks for the result; the joiner waits if there is none. */
  @Operation
  public @Nullable Integer join() {
    var joiner = new Joiner();
    Integer value = task.poll(Context.of(joiner));
    if (value == null) {
      waiting.add(joiner);
    }
    return value;
  }

  /** The task ends, once. */
  @Operation(nonParallelGroup = "worker")
  public void end() {
    if (!task.isDone()) {
      task.succeed(7);
    }
  }

  /** Whether it has ended. */
  @Operation
  public boolean isDone() {
    return task.isDone();
  }

  /** Nobody waits for a task that has ended. */
  @Validate
  public void nobodyIsForgotten() {
    if (task.isDone()) {
      List<Joiner> forgotten = waiting.stream().filter(j -> !j.woken).toList();
      if (!forgotten.isEmpty()) {
        throw new IllegalStateException(forgotten.size() + " were not woken");
      }
    }
  }

  @Test
  void join_isLinearisable_andForgetsNobody() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
