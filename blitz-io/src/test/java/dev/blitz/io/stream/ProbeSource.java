package dev.blitz.io.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Context;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A source that watches its owner: it takes note of a poll after the end, a failure or a close, of
 * a second close and of calls from two threads at once. {@link #verify} fails if there was any.
 */
final class ProbeSource implements Source<Integer> {
  private final List<Integer> items;
  private final boolean pending;
  private final @Nullable Throwable failure;
  private final List<String> breaches = Collections.synchronizedList(new ArrayList<>());
  private final AtomicReference<@Nullable Thread> user = new AtomicReference<>();
  private int at;
  private boolean waits;
  private boolean ended;
  private boolean failed;
  private volatile int closes;
  private volatile int polls;
  private boolean asked;

  private ProbeSource(List<Integer> items, boolean pending, @Nullable Throwable failure) {
    this.items = items;
    this.pending = pending;
    this.failure = failure;
  }

  /** Always ready. */
  static ProbeSource ready(List<Integer> items) {
    return new ProbeSource(items, false, null);
  }

  /** Pending once before each item and before the end. */
  static ProbeSource slow(List<Integer> items) {
    return new ProbeSource(items, true, null);
  }

  /** Throws after the items. */
  static ProbeSource failing(List<Integer> items, boolean slow, Throwable failure) {
    return new ProbeSource(items, slow, failure);
  }

  @Override
  public @Nullable Integer pollNext(Context cx) throws Exception {
    if (!user.compareAndSet(null, Thread.currentThread())) {
      breaches.add("polled by two at once");
    }
    try {
      return poll(cx);
    } finally {
      user.set(null);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one user at a time is what it checks
  private @Nullable Integer poll(Context cx) throws Exception {
    polls++;
    if (ended || failed || closes > 0) {
      breaches.add("polled after " + (ended ? "its end" : failed ? "its failure" : "its close"));
    }
    if (pending && !waits) {
      waits = true;
      asked = true;
      cx.waker().wake();
      return null;
    }
    if (!cx.proceed()) {
      return null;
    }
    waits = false;
    asked = false;
    if (at < items.size()) {
      return items.get(at++);
    }
    if (failure != null) {
      failed = true;
      throw sneaky(failure);
    }
    ended = true;
    return null;
  }

  @Override
  public boolean hasEnded() {
    return ended;
  }

  @Override
  public void forgetNext() {
    asked = false;
  }

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // one user at a time is what it checks
  public void close() {
    if (user.get() != null && user.get() != Thread.currentThread()) {
      breaches.add("closed while it was polled");
    }
    closes++;
    asked = false;
  }

  int taken() {
    return at;
  }

  int polls() {
    return polls;
  }

  int closes() {
    return closes;
  }

  /** Whether somebody waits for an item. */
  boolean isAsked() {
    return asked;
  }

  /** It was closed exactly once, and used as agreed. */
  void verify() {
    assertThat(breaches).isEmpty();
    assertThat(closes).as("closes").isEqualTo(1);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> Exception sneaky(Throwable t) throws E {
    throw (E) t;
  }

  @Override
  public String toString() {
    return "a probe";
  }
}
