package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.task.QueueItem;
import dev.blitz.io.internal.task.TaskCell;
import dev.blitz.stress.ModelCheck;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The inject queue is a FIFO queue that can be closed. Its length is no operation here: beside
 * those who take tasks out it may tell too much, by intent.
 */
@Param(name = "id", gen = IntGen.class, conf = "1:4")
public class InjectQueueLincheckTest {
  private final InjectQueue queue = new InjectQueue(2);

  /** Adds a task of its own; false when closed. */
  @Operation
  public boolean push(@Param(name = "id") int id) {
    return queue.push(NoSchedule.task(id));
  }

  /** Takes one. */
  @Operation
  public long pop() {
    return idOf(queue.pop());
  }

  /** Takes a batch of up to two into a ring of its own, oldest first. */
  @Operation
  public String popInto() {
    var ring = new LocalRunQueue<QueueItem>(4);
    QueueItem first = queue.popInto(ring, 2);
    while (first == null && queue.length() > 0) { // as a worker does: the oldest is being pushed
      Thread.onSpinWait();
      first = queue.popInto(ring, 2);
    }
    var ids = new StringBuilder().append(idOf(first));
    for (QueueItem t = ring.pop(); t != null; t = ring.pop()) {
      ids.append(' ').append(idOf(t));
    }
    return ids.toString();
  }

  /** Accepts nothing more. */
  @Operation
  public void close() {
    queue.close();
  }

  private static long idOf(@Nullable QueueItem task) {
    return task == null ? 0 : Long.parseLong(((TaskCell<?>) task).name());
  }

  @Test
  void injectQueue_isLinearisable() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
