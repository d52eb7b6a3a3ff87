package dev.blitz.io.future;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** A promise that ends while somebody comes or goes. */
public class PromiseStress {

  /** Results: the value at the first poll; wakes; the value at the end. */
  @JCStressTest
  @Outcome(id = "7, 0, 7", expect = ACCEPTABLE, desc = "It was there")
  @Outcome(id = "0, 1, 7", expect = ACCEPTABLE, desc = "It waited, and was told")
  @Outcome(expect = FORBIDDEN, desc = "Completed between look and enqueue: lost")
  @State
  public static class CompleteAgainstEnqueue {
    private final Promise<Integer> promise = Promise.create();
    private final UncheckedFuture<Integer> wait = promise.future();
    private final AtomicInteger wakes = new AtomicInteger();

    @Actor
    public void completer() {
      promise.complete(7);
    }

    @Actor
    public void waiter(III_Result r) {
      Integer now = wait.poll(Context.of(wakes::incrementAndGet));
      r.r1 = now == null ? 0 : now;
    }

    @Arbiter
    public void after(III_Result r) {
      r.r2 = wakes.get();
      Integer now =
          r.r1 == 0 ? wait.poll(Context.of(wakes::incrementAndGet)) : Integer.valueOf(r.r1);
      r.r3 = now == null ? 0 : now;
    }
  }

  /** Two complete. Results: who was told that it did; one of two bits. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The first")
  @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "The second")
  @Outcome(expect = FORBIDDEN, desc = "Both or none, or another value")
  @State
  public static class CompleteAgainstComplete {
    private final Promise<Integer> promise = Promise.create();
    private volatile boolean first;
    private volatile boolean second;

    @Actor
    public void one() {
      first = promise.complete(1);
    }

    @Actor
    public void two() {
      second = promise.complete(2);
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = (first ? 1 : 0) + (second ? 2 : 0);
      Integer value = promise.future().poll(Context.of(() -> {}));
      r.r2 = value == null ? 0 : value;
    }
  }
}
