package dev.blitz.io;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Waker;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Closed at first; any number of tasks wait for it to be opened. */
final class Gate {
  private final ConcurrentLinkedQueue<Waker> waiting = new ConcurrentLinkedQueue<>();
  private volatile boolean open;

  /** Waits until the gate is open. */
  Future<Done> pass() {
    return cx -> {
      if (open) {
        return Done.DONE;
      }
      waiting.add(cx.waker());
      return open ? Done.DONE : null; // the opener takes its wakers after the flag
    };
  }

  /** Lets everybody pass. */
  void open() {
    open = true;
    wakeAll();
  }

  /** Wakes those who wait, for nothing: they will wait again. */
  void wakeAll() {
    for (Waker w = waiting.poll(); w != null; w = waiting.poll()) {
      w.wake();
    }
  }

  @Override
  public String toString() {
    return open ? "open gate" : "closed gate";
  }
}
