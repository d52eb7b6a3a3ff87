package dev.blitz.io.signal;

import dev.blitz.io.internal.base.PinnedLock;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.base.Telling;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who listens to which signal, for the whole process. Thread safe. */
/* Implementation notes
 *
 * A process has one handler for each signal, so there is one registry for it. A signal's entry is installed with its
 * first listener and taken out with its last, both under the lock; the port puts back what was there before.
 *
 * Protocol
 *   listen   all or nothing: the signals are entered one by one; if one is refused, those before it are given up
 *   deliver  on a thread of the port, without the lock: reads the listeners and tells each
 *   forget   the last listener of a signal goes: the entry is `over`, then what was there before is put back
 *   late     a delivery that finds its entry over had left the port before forget put the old handling back, and
 *            nobody has heard of it. It is raised again, for whoever has the signal now: a TERM is never swallowed.
 *
 * Orderings
 *   field     | writer         | reader  | mode     | pairs with
 *   listeners | listen, forget | deliver | volatile | immutable arrays; who is entered before the port calls is told
 *   over      | forget         | deliver | lock     | late: the old handling is back when the signal is raised again
 */
final class SignalRegistry {
  static final SignalRegistry OF_THE_PROCESS = new SignalRegistry(new JvmSignals());

  private static final SignalListener[] NOBODY = {};

  private final SignalPort port;
  private final PinnedLock lock = new PinnedLock();
  private final Map<Signal, Entry> entries = new EnumMap<>(Signal.class);

  SignalRegistry(SignalPort port) {
    this.port = port;
  }

  boolean isSupported() {
    return port.isSupported();
  }

  SignalListener listen(Signal first, Signal... others) {
    Set<Signal> signals = EnumSet.of(Objects.requireNonNull(first, "first"), others);
    for (Signal signal : signals) {
      String refusal = signal.refusal();
      if (refusal != null) {
        throw new IllegalArgumentException("nobody can listen to SIG" + signal + ": " + refusal);
      }
    }
    var listener = new SignalListener(this, signals);
    StackRoom.forMany();
    lock.lock();
    try {
      for (Signal signal : signals) {
        enter(signal, listener);
      }
      return listener;
    } catch (Throwable t) {
      try {
        leave(listener);
      } catch (Throwable second) {
        Telling.suppress(t, second);
      }
      throw t;
    } finally {
      lock.unlock();
    }
  }

  private void enter(Signal signal, SignalListener listener) {
    Entry entry = entries.get(signal);
    if (entry == null) {
      var fresh = new Entry(signal);
      fresh.listeners = new SignalListener[] {listener};
      fresh.restore = port.install(signal, () -> deliver(fresh));
      entries.put(signal, fresh);
    } else {
      SignalListener[] before = entry.listeners;
      SignalListener[] after = Arrays.copyOf(before, before.length + 1);
      after[before.length] = listener;
      entry.listeners = after;
    }
  }

  /** Takes the listener out; it may be in no more. */
  void forget(SignalListener listener) {
    StackRoom.forMany();
    lock.lock();
    try {
      leave(listener);
    } finally {
      lock.unlock();
    }
  }

  private void leave(SignalListener listener) {
    for (Signal signal : listener.signals()) {
      Entry entry = entries.get(signal);
      if (entry != null && entry.without(listener) == 0) {
        entries.remove(signal);
        entry.over = true;
        Objects.requireNonNull(entry.restore).run();
      }
    }
  }

  private void deliver(Entry entry) {
    SignalListener[] listeners = entry.listeners;
    for (SignalListener listener : listeners) {
      listener.deliver(entry.signal);
    }
    if (listeners.length == 0 && isOver(entry)) {
      port.raise(entry.signal);
    }
  }

  private boolean isOver(Entry entry) {
    lock.lock();
    try {
      return entry.over;
    } finally {
      lock.unlock();
    }
  }

  /** How many signals have a listener; for tests. */
  int installed() {
    lock.lock();
    try {
      return entries.size();
    } finally {
      lock.unlock();
    }
  }

  /** A signal that is listened to. */
  private static final class Entry {
    final Signal signal;
    volatile SignalListener[] listeners = NOBODY;
    @Nullable Runnable restore;
    boolean over;

    Entry(Signal signal) {
      this.signal = signal;
    }

    /** How many are left; under the lock. */
    int without(SignalListener listener) {
      SignalListener[] before = listeners;
      SignalListener[] after =
          Arrays.stream(before).filter(l -> l != listener).toArray(SignalListener[]::new);
      listeners = after;
      return after.length;
    }
  }
}
