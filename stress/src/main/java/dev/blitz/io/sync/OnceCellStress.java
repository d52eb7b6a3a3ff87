package dev.blitz.io.sync;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The content of a once-cell. */
public class OnceCellStress {
  /** A plain field: only the cell's publication makes it visible. */
  private static final class Box {
    private int plain;

    Box(int value) {
      plain = value;
    }

    int read() {
      return plain;
    }
  }

  /** Result: what the reader saw, 0 for nothing; what the cell has. */
  @JCStressTest
  @Outcome(id = "0, 7", expect = ACCEPTABLE, desc = "Nothing yet")
  @Outcome(id = "7, 7", expect = ACCEPTABLE, desc = "The whole value")
  @Outcome(expect = FORBIDDEN, desc = "A torn value")
  @State
  public static class SetAgainstGet {
    private final OnceCell<Box> cell = OnceCell.create();

    @Actor
    public void setter() {
      cell.set(new Box(7));
    }

    @Actor
    public void getter(II_Result r) {
      Box box = cell.get();
      r.r1 = box == null ? 0 : box.read();
    }

    @Arbiter
    public void after(II_Result r) {
      Box box = cell.get();
      r.r2 = box == null ? 0 : box.read();
    }
  }

  /** Results: what each got; what the cell has. */
  @JCStressTest
  @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "The first made it")
  @Outcome(id = "2, 2, 2", expect = ACCEPTABLE, desc = "The second made it")
  @Outcome(expect = FORBIDDEN, desc = "Two values, or none")
  @State
  public static class InitAgainstInit {
    private final OnceCell<Integer> cell = OnceCell.create();
    private final Waiting<Integer> first = new Waiting<>(cell.getOrInit(() -> 1));
    private final Waiting<Integer> second = new Waiting<>(cell.getOrInit(() -> 2));

    private static int zeroIfNull(@Nullable Integer value) {
      return value == null ? 0 : value;
    }

    @Actor
    public void one(III_Result r) {
      r.r1 = zeroIfNull(first.take());
    }

    @Actor
    public void two(III_Result r) {
      r.r2 = zeroIfNull(second.take());
    }

    /** Who waited has been woken. */
    @Arbiter
    public void after(III_Result r) {
      if (r.r1 == 0 && first.wakes() == 1) {
        r.r1 = zeroIfNull(first.take());
      }
      if (r.r2 == 0 && second.wakes() == 1) {
        r.r2 = zeroIfNull(second.take());
      }
      r.r3 = zeroIfNull(cell.get());
    }
  }

  /** The initialiser is dropped while another comes. Results: at the first poll; wakes; the end. */
  @JCStressTest
  @Outcome(id = "2, 0, 2", expect = ACCEPTABLE, desc = "The cell was empty again")
  @Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "It waited, and got the turn")
  @Outcome(expect = FORBIDDEN, desc = "Nobody initialises")
  @State
  public static class DropAgainstInit {
    private final OnceCell<Integer> cell = OnceCell.create();
    private final Future<Integer> dropped = cell.getOrInitAsync(Futures::pending);
    private final Waiting<Integer> other = new Waiting<>(cell.getOrInit(() -> 2));

    /** The first is at it. */
    public DropAgainstInit() {
      try {
        dropped.poll(Context.of(() -> {}));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    private int take() {
      Integer value = other.take();
      return value == null ? 0 : value;
    }

    @Actor
    public void dropper() {
      dropped.drop();
    }

    @Actor
    public void initialiser(III_Result r) {
      r.r1 = take();
    }

    @Arbiter
    public void after(III_Result r) {
      r.r2 = other.wakes();
      r.r3 = r.r1 == 0 ? take() : r.r1;
    }
  }
}
