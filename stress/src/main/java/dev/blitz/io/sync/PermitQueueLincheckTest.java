package dev.blitz.io.sync;

import dev.blitz.io.internal.base.Link;
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
 * Those who wait for one, two or all three permits, of which some give up: permits are conserved,
 * and nobody waits beside enough of them. Answers depend on who is in the queue, so what is checked
 * is the state at the end.
 */
@Param(name = "n", gen = IntGen.class, conf = "1:3")
public class PermitQueueLincheckTest {
  private static final int PERMITS = 3;

  private final Semaphore semaphore = Semaphore.create(PERMITS);
  private final AtomicInteger held = new AtomicInteger();
  private final ConcurrentLinkedQueue<Waiter> pending = new ConcurrentLinkedQueue<>();

  private record Waiter(int count, Waiting<Semaphore.Permit> waiting) {}

  /** One comes. */
  @Operation
  public void acquire(@Param(name = "n") int n) {
    poll(new Waiter(n, new Waiting<>(semaphore.acquire(n))));
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

  /** The same, by the other method: what is held can always be given back. */
  @Operation
  public void releaseUpTo(@Param(name = "n") int n) {
    int now = held.get();
    int given = Math.min(n, now);
    if (given > 0
        && held.compareAndSet(now, now - given)
        && semaphore.releaseUpTo(given) != given) {
      throw new IllegalStateException("permits that are out were left out, of " + semaphore);
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
    int granted = 0;
    int asleep = 0;
    for (Waiter waiter : pending) {
      if (waiter.waiting.wakes() > 0) {
        granted += waiter.count;
      } else {
        asleep++;
      }
    }
    int gathered = 0;
    int linked = 0;
    for (Link link = semaphore.waiting.first(); link != null; link = link.following()) {
      linked++;
      gathered += ((PermitWait<?>) link).gathered();
    }
    var oldest = (PermitWait<?>) semaphore.waiting.first();
    boolean conserved = semaphore.availablePermits() + gathered + held.get() + granted == PERMITS;
    boolean consistent = linked == asleep && semaphore.hasWaiters() == (linked > 0);
    boolean served = oldest == null || oldest.gathered() < oldest.count();
    if (!conserved || !consistent || !served) {
      throw new IllegalStateException(
          "%s: %d held, %d granted, %d gathered, %d asleep, %d linked"
              .formatted(semaphore, held.get(), granted, gathered, asleep, linked));
    }
  }

  @Test
  void permits_areConserved_whoeverWaitsOrGivesUp() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
