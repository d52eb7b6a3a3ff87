package dev.blitz.io.bytes;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.blitz.io.future.Context;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A side of a stream that is retired while operations begin and end on it. */
public class SideStress {

  /**
   * An operation ends while its side is retired: one of the two does what is last, once. The canary
   * {@code UnfencedSideStress} is this check of a side that writes its owner without a fence.
   */
  @JCStressTest
  @Outcome(id = "1", expect = ACCEPTABLE, desc = "Done once")
  @Outcome(id = "0", expect = FORBIDDEN, desc = "Each left it to the other")
  @Outcome(expect = FORBIDDEN, desc = "Done more than once")
  @State
  public static class RetireAgainstRelease {
    private final Side side = Side.ofWriting();
    private final AtomicInteger done = new AtomicInteger();

    public RetireAgainstRelease() {
      side.claim("an operation");
    }

    @Actor
    public void operation() {
      side.release();
    }

    @Actor
    public void closer() {
      side.retire("closed", done::incrementAndGet);
    }

    @Arbiter
    public void result(I_Result r) {
      r.r1 = done.get();
    }
  }

  /** As the first, by an operation that has not begun yet: refused or not, what is last is done. */
  @JCStressTest
  @Outcome(
      id = {"0, 1", "1, 1"},
      expect = ACCEPTABLE,
      desc = "Begun before, or refused; done once")
  @Outcome(expect = FORBIDDEN, desc = "What is last was not done, or twice")
  @State
  public static class RetireAgainstClaim {
    private final Side side = Side.ofWriting();
    private final AtomicInteger done = new AtomicInteger();

    @Actor
    public void operation(II_Result r) {
      try {
        side.claim("an operation");
        side.release();
      } catch (IllegalStateException e) {
        r.r1 = 1;
      }
    }

    @Actor
    public void closer() {
      side.retire("closed", done::incrementAndGet);
    }

    @Arbiter
    public void result(II_Result r) {
      r.r2 = done.get();
    }
  }

  /**
   * A write is polled, and stays pending, while its side is retired. Results: whether the poll was
   * told; whether its waker was woken. One of the two, or it would wait for ever.
   */
  @JCStressTest
  @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "Nobody told the pending write")
  @Outcome(expect = ACCEPTABLE, desc = "Told or woken")
  @State
  public static class RetireAgainstPendingWrite {
    private final Side side = Side.ofWriting();
    private final Pending write = new Pending(side);
    private volatile int woken;

    @Actor
    public void operation(II_Result r) {
      try {
        write.poll(Context.of(() -> woken = 1));
      } catch (IOException | IllegalStateException e) {
        r.r1 = 1;
      }
    }

    @Actor
    public void closer() {
      side.retire("closed", () -> {});
    }

    @Arbiter
    public void result(II_Result r) {
      r.r2 = woken;
    }
  }

  /** Waits for ever. */
  private static final class Pending extends SideFuture<String> {
    Pending(Side side) {
      super(side);
    }

    @Override
    @Nullable String attempt(Context cx) {
      return null;
    }

    @Override
    void forget() {}
  }
}
