package dev.blitz.io.sync;

import dev.blitz.io.future.Done;
import dev.blitz.stress.ModelCheck;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/** Waiters that come, look and give up while others notify: nobody sleeps beside a notification. */
public class NotifyLincheckTest {
  private final Notify notify = Notify.create();
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger received = new AtomicInteger();
  private final ConcurrentLinkedQueue<Waiting<Done>> pending = new ConcurrentLinkedQueue<>();

  /** One comes. */
  @Operation
  public void wait1() {
    poll(new Waiting<>(notify.notified()));
  }

  /** Notifies one. */
  @Operation
  public void notifyOne() {
    sent.incrementAndGet();
    notify.notifyOne();
  }

  /** One who waits looks. */
  @Operation
  public void look() {
    var waiting = pending.poll();
    if (waiting != null) {
      poll(waiting);
    }
  }

  /** One who waits gives up. */
  @Operation
  public void drop() {
    var waiting = pending.poll();
    if (waiting != null) {
      waiting.drop();
    }
  }

  private void poll(Waiting<Done> waiting) {
    if (waiting.poll()) {
      received.incrementAndGet();
    } else {
      pending.add(waiting);
    }
  }

  /** None received twice; none kept beside one who sleeps; none of all lost. */
  @Validate
  public void nothingIsLost() {
    long asleep = pending.stream().filter(w -> w.wakes() == 0).count();
    long notified = pending.size() - asleep;
    boolean kept = notify.tryNotified();
    long arrived = received.get() + notified + (kept ? 1 : 0);
    if (arrived > sent.get()
        || (kept && asleep > 0)
        || notify.hasWaiters() != asleep > 0
        || (sent.get() > 0 && arrived == 0)) {
      throw new IllegalStateException(
          "%d sent, %d received, %d notified, %d asleep, kept %b"
              .formatted(sent.get(), received.get(), notified, asleep, kept));
    }
  }

  @Test
  void notifications_reachSomebody() {
    ModelCheck.check(new ModelCheckingOptions().threads(3).actorsPerThread(2), getClass());
  }
}
