package dev.blitz.io.time;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.UncheckedFuture;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Turns many events into one, once there has been none for a while: files that change, keys that
 * are pressed.
 *
 * {@snippet :
 * Debounce changes = Debounce.after(Duration.ofMillis(200));
 * watcher.onChange(changes::event); // from any thread
 * while (true) {
 *   changes.quiet().await(); // something has changed, and for 200 ms nothing more
 *   reload();
 * }
 * }
 *
 * <p>Thread safe; made inside a runtime, whose clock it follows, and used from anywhere. Events
 * while nobody waits are not lost: the next wait ends when they are old enough. Nor does a wait
 * that is dropped lose any. Each burst is told to one who waits.
 */
public final class Debounce {
  private final Duration quiet;
  private final DelayQueue<Done> bursts = DelayQueue.create();

  /** The burst that goes on, or one whose end has been told. */
  private final AtomicReference<DelayQueue.@Nullable Key<Done>> burst = new AtomicReference<>();

  private Debounce(Duration quiet) {
    this.quiet = quiet;
  }

  /**
   * Waits for {@code quiet} without an event.
   *
   * @throws IllegalStateException outside any runtime
   */
  public static Debounce after(Duration quiet) {
    return new Debounce(Objects.requireNonNull(quiet, "quiet"));
  }

  /**
   * Something has happened: what is quiet begins anew.
   *
   * @throws IllegalStateException if the runtime is closed
   */
  public void event() {
    for (; ; ) {
      DelayQueue.Key<Done> now = burst.get();
      if (now != null && bursts.reset(now, quiet)) {
        return;
      }
      DelayQueue.Key<Done> next = bursts.insert(Done.DONE, quiet);
      if (burst.compareAndSet(now, next)) {
        return;
      }
      bursts.remove(next); // somebody else's event has begun the burst
    }
  }

  /** Ends when there has been an event, and then none for so long. */
  @CheckReturnValue
  public UncheckedFuture<Done> quiet() {
    return bursts.next();
  }
}
