package dev.blitz.io.sync;

import dev.blitz.stress.ModelCheck;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * As {@link PermitQueueLincheckTest}, of a barging semaphore: permits are conserved, and the oldest
 * who waits has been called if there are enough for it.
 */
@Param(name = "n", gen = IntGen.class, conf = "1:2")
public class BargingLincheckTest {
  private static final int PERMITS = 2;

  private final Semaphore semaphore = Semaphore.barging(PERMITS);
  private final AtomicInteger held = new AtomicInteger();
  private final ConcurrentLinkedQueue<Waiter> pending = new ConcurrentLinkedQueue<>();

  private record Waiter(int count, PermitWait<?> place, Waiting<Semaphore.Permit> waiting) {}

  /** One comes. */
  @Operation
  public void acquire(@Param(name = "n") int n) {
    var future = semaphore.acquire(n);
    poll(new Waiter(n, (PermitWait<?>) future, new Waiting<>(future)));
  }

  /** One without patience. */
  @Operation
  public void tryAcquire(@Param(name = "n") int n) {
    if (semaphore.tryAcquire(n)) {
      held.addAndGet(n);
    }
  }

  /** One of those who have one gives it back. */
  @Operation
  public void release() {
    int now = held.get();
    if (now > 0 && held.compareAndSet(now, now - 1)) {
      semaphore.release();
    }
  }

  /** One who waits looks. */
  @Operation
  public void look() {
    Waiter waiter = pending.poll();
    if (waiter != null) {
      poll(waiter);
    }
  }

  /** One who waits gives up. */
  @Operation
  public void drop() {
    Waiter waiter = pending.poll();
    if (waiter != null) {
      waiter.waiting.drop();
    }
  }

  private void poll(Waiter waiter) {
    if (waiter.waiting.poll()) {
      held.addAndGet(waiter.count);
    } else {
      pending.add(waiter);
    }
  }

  /** Nothing is lost, nobody is forgotten. */
  @Validate
  public void permitsAreConserved() {
    int handedOver = 0;
    int linked = 0;
    int gathered = 0;
    for (Waiter waiter : pending) {
      if (waiter.place.isLinked()) {
        linked++;
        gathered += waiter.place.gathered();
      } else {
        handedOver += waiter.count;
      }
    }
    int available = semaphore.availablePermits();
    var oldest = (PermitWait<?>) semaphore.waiting.first();
    boolean conserved = available + gathered + handedOver + held.get() == PERMITS;
    boolean consistent =
        semaphore.hasWaiters() == (linked > 0) && (oldest == null) == (linked == 0);
    boolean called =
        oldest == null || oldest.called || available < oldest.count() - oldest.gathered();
    if (!conserved || !consistent || !called) {
      throw new IllegalStateException(
          "%s: %d held, %d handed over, %d gathered, %d linked"
              .formatted(semaphore, held.get(), handedOver, gathered, linked));
    }
  }

  @Test
  void permits_areConserved_andTheOldestIsCalled() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
