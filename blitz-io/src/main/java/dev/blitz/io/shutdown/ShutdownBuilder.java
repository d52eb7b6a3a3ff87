package dev.blitz.io.shutdown;

import dev.blitz.io.internal.task.Caller;
import dev.blitz.io.signal.Signal;
import dev.blitz.io.signal.SignalListener;
import dev.blitz.io.signal.Signals;
import dev.blitz.io.task.Spawner;
import dev.blitz.io.task.TaskScope;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Makes a {@link Shutdown}; see there. Not thread safe. */
public final class ShutdownBuilder {
  private EnumSet<Signal> signals = EnumSet.noneOf(Signal.class);
  private @Nullable Duration exitLimit;
  private Duration linger = Shutdown.LINGER;

  /** How signals are listened to; another one in tests. */
  BiFunction<Signal, Signal[], SignalListener> listening = Signals::listen;

  ShutdownBuilder() {}

  /**
   * These signals trigger, and one of them that comes after the trigger forces.
   *
   * @see Signals#listen
   */
  public ShutdownBuilder signals(Signal first, Signal... others) {
    signals = EnumSet.of(first, others);
    return this;
  }

  /**
   * The end of the JVM triggers too, by {@code System.exit} or a signal that nobody listens to: it
   * waits for a drain of at most {@code limit}, and then as long again for the close.
   */
  public ShutdownBuilder onJvmExit(Duration limit) {
    exitLimit = Objects.requireNonNull(limit, "limit");
    return this;
  }

  /**
   * How long after the trigger {@link Shutdown#guard} still waits for what may have been sent
   * before; 100 milliseconds if nothing is said.
   */
  public ShutdownBuilder linger(Duration duration) {
    linger = Objects.requireNonNull(duration, "duration");
    return this;
  }

  /**
   * A coordinator for the runtime of the calling task.
   *
   * @throws IllegalStateException outside any runtime
   * @throws IllegalArgumentException if a signal cannot be listened to
   * @throws UnsupportedOperationException if signals cannot be listened to here at all
   */
  public Shutdown open() {
    return open(Caller.spawner("a shutdown"));
  }

  /** The same for {@code runtime}, on any thread. */
  public Shutdown open(Spawner runtime) {
    if (Objects.requireNonNull(runtime, "runtime") instanceof TaskScope) {
      throw new IllegalArgumentException("a shutdown needs a runtime, not a scope");
    }
    var shutdown = new Shutdown(runtime, linger);
    try {
      if (!signals.isEmpty()) {
        Signal[] all = signals.toArray(Signal[]::new);
        shutdown.listen(listening.apply(all[0], all));
      }
      if (exitLimit != null) {
        shutdown.awaitExit(exitLimit);
      }
      return shutdown;
    } catch (Throwable t) {
      shutdown.close();
      throw t;
    }
  }
}
