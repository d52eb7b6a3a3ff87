package dev.blitz.stress.canary;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * jcstress canary: a side of a stream that lets its owner go by a release store, without a full
 * fence before it looks for what is last. Whoever retires it may still see the owner, and the owner
 * nothing to do.
 */
@JCStressTest
@Outcome(id = "0", expect = FORBIDDEN, desc = "Each left it to the other")
@Outcome(expect = ACCEPTABLE, desc = "Done")
@State
public class UnfencedSideStress {
  private static final VarHandle OWNER;

  static {
    try {
      OWNER = MethodHandles.lookup().findVarHandle(UnfencedSideStress.class, "owner", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // through OWNER
  private @Nullable Object owner = this;

  private volatile @Nullable Object last;
  private volatile int done;

  @Actor
  public void operation() {
    OWNER.setRelease(this, null);
    if (last != null) {
      doLast();
    }
  }

  @Actor
  public void closer() {
    last = this;
    doLast();
  }

  private void doLast() {
    while (last != null && OWNER.compareAndSet(this, null, this)) {
      last = null;
      done = 1;
      OWNER.setVolatile(this, null);
    }
  }

  @Arbiter
  public void result(I_Result r) {
    r.r1 = done;
  }
}
