package dev.blitz.io.sync;

import dev.blitz.stress.ModelCheck;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** A barrier for two at which some give up: one leader and one follower in each meeting. */
public class BarrierLincheckTest {
  private final Barrier barrier = Barrier.create(2);
  private final AtomicInteger leaders = new AtomicInteger();
  private final ConcurrentLinkedQueue<Waiting<Arrival>> pending = new ConcurrentLinkedQueue<>();

  /** One comes. */
  @Operation
  public void arrive() {
    var waiting = new Waiting<>(barrier.arrive());
    if (waiting.poll()) {
      leaders.incrementAndGet();
    } else {
      pending.add(waiting);
    }
  }

  /** One comes only to complete. */
  @Operation
  public void tryArrive() {
    if (barrier.tryArrive()) {
      leaders.incrementAndGet();
    }
  }

  /** One who waits gives up, maybe after all had arrived. */
  @Operation
  public void drop() {
    var waiting = pending.poll();
    if (waiting != null) {
      waiting.drop();
    }
  }

  /** Each meeting has one leader; who is not released is still counted. */
  @Validate
  public void meetingsAreComplete() {
    long asleep = pending.stream().filter(w -> w.wakes() == 0).count();
    if (leaders.get() != barrier.meetings() || asleep != barrier.arrived() || asleep > 1) {
      throw new IllegalStateException(
          "%s: %d leaders, %d asleep".formatted(barrier, leaders.get(), asleep));
    }
  }

  @Test
  void meetings_areComplete_whoeverGivesUp() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
