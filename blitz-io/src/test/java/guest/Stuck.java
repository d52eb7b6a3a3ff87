package guest;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Code of a user's, in a package of its own, that does not end before it is let go. */
public final class Stuck {
  private final CompletableFuture<Thread> inside = new CompletableFuture<>();
  private final AtomicBoolean letGo = new AtomicBoolean();

  /** Keeps its thread, whoever interrupts it. */
  public Done hold() {
    inside.complete(Thread.currentThread());
    while (!letGo.get()) {
      Thread.onSpinWait();
    }
    return Done.DONE;
  }

  /** Waits for {@code future} as the task it is called in. */
  public <T> T waitFor(Future<T> future) {
    inside.complete(Thread.currentThread());
    try {
      return future.await();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns once a thread is inside: that one. */
  public Thread awaitInside() throws InterruptedException {
    try {
      return inside.get();
    } catch (ExecutionException e) {
      throw new AssertionError("nobody fails it", e);
    }
  }

  public void letGo() {
    letGo.set(true);
  }
}
