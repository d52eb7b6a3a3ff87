package dev.blitz.benchmarks.scheduler;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Waker;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Tasks that wait, each for a leaf future of its own, until their runtime is closed. */
final class IdleTasks {
  private final Leaf[] leaves;

  IdleTasks(BlitzRuntime runtime, int count) {
    var idle = new AtomicInteger();
    leaves = new Leaf[count];
    for (int i = 0; i < count; i++) {
      var leaf = new Leaf(idle);
      leaves[i] = leaf;
      runtime.spawn(leaf);
    }
    while (idle.get() < count) {
      Thread.onSpinWait();
    }
  }

  /** Keeps the waker where the event would find it. */
  private static final class Leaf implements Future<Done> {
    private final AtomicInteger idle;
    private @Nullable Waker waker;

    Leaf(AtomicInteger idle) {
      this.idle = idle;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      waker = cx.waker();
      idle.incrementAndGet();
      return null;
    }

    @Override
    public String toString() {
      return "an event that never comes" + (waker == null ? ", not asked for yet" : "");
    }
  }

  @Override
  public String toString() {
    return leaves.length + " idle tasks";
  }
}
