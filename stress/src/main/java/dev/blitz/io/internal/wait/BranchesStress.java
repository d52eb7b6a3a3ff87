package dev.blitz.io.internal.wait;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.blitz.io.future.Context;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * What a waker wrote is seen by a round that runs meanwhile, or whoever owned the combinator in
 * that round is woken and sees it in the next. Also where the wake finds the branch marked already,
 * and where the combinator moves to another owner.
 */
public class BranchesStress {
  /** A wide combinator whose first branch reads a plain field. */
  abstract static class Reader {
    private final Branches branches =
        Objects.requireNonNull(Branches.forMany(Branches.MOST_WITHOUT + 1));
    private final Branch first;
    private final Context before = Context.of(() -> {});
    private final Context now = Context.of(() -> woken = true);
    private volatile boolean woken;
    private int data;

    Reader(boolean moves) {
      branches.begin(moves ? before : now);
      first = Objects.requireNonNull(branches.next());
      for (Branch b = first; b != null; b = branches.next()) {}
      branches.end();
    }

    final void mark() {
      first.wake();
      woken = false;
    }

    final void writeAndWake() {
      data = 1;
      first.wake();
    }

    /** What the branch saw; 0 if it had no turn. */
    final int round() {
      int seen = 0;
      branches.begin(now);
      for (Branch b = branches.next(); b != null; b = branches.next()) {
        seen = data;
      }
      branches.end();
      return seen;
    }

    final int seenAtLast(int seen) {
      return seen == 1 || (woken && round() == 1) ? 1 : 0;
    }
  }

  /** Results: what the round saw; whether it is seen at last. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Seen in the round")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Woken, and seen in the next")
  @Outcome(expect = FORBIDDEN, desc = "The wake was lost")
  @State
  public static class Asleep extends Reader {
    /** Nobody has woken it. */
    public Asleep() {
      super(false);
    }

    @Actor
    public void owner(II_Result r) {
      r.r1 = round();
    }

    @Actor
    public void waker() {
      writeAndWake();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = seenAtLast(r.r1);
    }
  }

  /** The branch is on the stack. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Seen in the round")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "Woken, and seen in the next")
  @Outcome(expect = FORBIDDEN, desc = "The wake was lost")
  @State
  public static class Marked extends Reader {
    /** Somebody has woken it. */
    public Marked() {
      super(false);
      mark();
    }

    @Actor
    public void owner(II_Result r) {
      r.r1 = round();
    }

    @Actor
    public void waker() {
      writeAndWake();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = seenAtLast(r.r1);
    }
  }

  /** The round is the first of another owner. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Seen in the round")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The new owner is woken, and sees it")
  @Outcome(expect = FORBIDDEN, desc = "Only the old owner was woken")
  @State
  public static class Moving extends Reader {
    /** Polled elsewhere before. */
    public Moving() {
      super(true);
    }

    @Actor
    public void owner(II_Result r) {
      r.r1 = round();
    }

    @Actor
    public void waker() {
      writeAndWake();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = seenAtLast(r.r1);
    }
  }
}
