package guest;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** Code of a user's, in a package of its own, that does not end before it is let go. */
public final class Stuck {
  private final CountDownLatch inside = new CountDownLatch(1);
  private final AtomicBoolean letGo = new AtomicBoolean();

  /** Keeps its thread, whoever interrupts it. */
  public Done hold() {
    inside.countDown();
    while (!letGo.get()) {
      Thread.onSpinWait();
    }
    return Done.DONE;
  }

  /** Waits for {@code future} as the task it is called in. */
  public <T> T waitFor(Future<T> future) {
    inside.countDown();
    try {
      return future.await();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns once somebody is inside. */
  public void awaitInside() throws InterruptedException {
    inside.await();
  }

  public void letGo() {
    letGo.set(true);
  }
}
