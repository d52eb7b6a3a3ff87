package dev.blitz.io.sync;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.blitz.io.future.Done;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The state of a notify. */
public class NotifyStress {

  /** Results: ready at the first poll; wakes; ready at the end. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "It was kept")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "It waited, and was notified")
  @Outcome(expect = FORBIDDEN, desc = "Stored between look and enqueue: lost")
  @State
  public static class NotifyAgainstEnqueue {
    private final Notify notify = Notify.create();
    private final Waiting<Done> waiting = new Waiting<>(notify.notified());

    @Actor
    public void notifier() {
      notify.notifyOne();
    }

    @Actor
    public void waiter(III_Result r) {
      r.r1 = waiting.poll() ? 1 : 0;
    }

    @Arbiter
    public void after(III_Result r) {
      r.r2 = waiting.wakes();
      r.r3 = r.r1 == 1 || waiting.poll() ? 1 : 0;
    }
  }

  /** For all, made before. Results: ready at the first poll; wakes; ready at the end. */
  @JCStressTest
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "The round was over")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "It waited, and was notified")
  @Outcome(expect = FORBIDDEN, desc = "Made before, and missed it")
  @State
  public static class NotifyWaitersAgainstEnqueue {
    private final Notify notify = Notify.create();
    private final Waiting<Done> waiting = new Waiting<>(notify.notified());

    @Actor
    public void notifier() {
      notify.notifyWaiters();
    }

    @Actor
    public void waiter(III_Result r) {
      r.r1 = waiting.poll() ? 1 : 0;
    }

    @Arbiter
    public void after(III_Result r) {
      r.r2 = waiting.wakes();
      r.r3 = r.r1 == 1 || waiting.poll() ? 1 : 0;
    }
  }

  /** A round passes while a kept one is taken. Results: taken; kept at the end. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "Taken")
  @Outcome(expect = FORBIDDEN, desc = "The round hid or doubled it")
  @State
  public static class NotifyWaitersAgainstTry {
    private final Notify notify = Notify.create();

    /** One is kept. */
    public NotifyWaitersAgainstTry() {
      notify.notifyOne();
    }

    @Actor
    public void notifier() {
      notify.notifyWaiters();
    }

    @Actor
    public void taker(II_Result r) {
      r.r1 = notify.tryNotified() ? 1 : 0;
    }

    @Arbiter
    public void after(II_Result r) {
      r.r2 = notify.tryNotified() ? 1 : 0;
    }
  }

  /** A waiter is dropped while it is notified, beside another. Results: the other's wakes; kept. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The other was notified")
  @Outcome(expect = FORBIDDEN, desc = "The dropped one swallowed it, or it was doubled")
  @State
  public static class NotifyAgainstDrop {
    private final Notify notify = Notify.create();
    private final Waiting<Done> dropped = new Waiting<>(notify.notified());
    private final Waiting<Done> other = new Waiting<>(notify.notified());

    /** Both wait. */
    public NotifyAgainstDrop() {
      dropped.poll();
      other.poll();
    }

    @Actor
    public void notifier() {
      notify.notifyOne();
    }

    @Actor
    public void dropper() {
      dropped.drop();
    }

    @Arbiter
    public void after(II_Result r) {
      r.r1 = other.wakes();
      r.r2 = notify.tryNotified() ? 1 : 0;
    }
  }

  /** The second notification finds the first one kept. Results: taken; what was read. */
  @JCStressTest
  @Outcome(id = "1, 7", expect = ACCEPTABLE, desc = "Both in one")
  @Outcome(id = "2, 7", expect = ACCEPTABLE, desc = "Took the first, then the second")
  @Outcome(expect = FORBIDDEN, desc = "A notification was lost, or does not publish")
  @State
  public static class NotifyAgainstTake {
    private final Notify notify = Notify.create();
    private int plain;

    /** One is kept. */
    public NotifyAgainstTake() {
      notify.notifyOne();
    }

    @Actor
    public void notifier() {
      plain = 7;
      notify.notifyOne();
    }

    @Actor
    public void taker(II_Result r) {
      if (notify.tryNotified()) {
        r.r1 = 1;
        r.r2 = plain;
      }
    }

    /** If the taker was first, the second notification is still there. */
    @Arbiter
    public void after(II_Result r) {
      if (notify.tryNotified()) {
        r.r1 = 2;
        r.r2 = plain;
      }
    }
  }

  /** For all, made meanwhile. Results: ready at the first poll; wakes; a waiter left. */
  @JCStressTest
  @Outcome(id = "0, 1, 0", expect = ACCEPTABLE, desc = "It waited before")
  @Outcome(id = "1, 0, 0", expect = ACCEPTABLE, desc = "It was made before, and polled after")
  @Outcome(id = "0, 0, 1", expect = ACCEPTABLE, desc = "It came after: nothing is kept")
  @Outcome(expect = FORBIDDEN, desc = "Half notified")
  @State
  public static class NotifyAllAgainstEnqueue {
    private final Notify notify = Notify.create();
    private @Nullable Waiting<Done> waiting;

    @Actor
    public void notifier() {
      notify.notifyWaiters();
    }

    @Actor
    public void waiter(III_Result r) {
      var made = new Waiting<>(notify.notified());
      waiting = made;
      r.r1 = made.poll() ? 1 : 0;
    }

    @Arbiter
    public void after(III_Result r) {
      r.r2 = waiting == null ? -1 : waiting.wakes();
      r.r3 = notify.hasWaiters() ? 1 : 0;
    }
  }
}
