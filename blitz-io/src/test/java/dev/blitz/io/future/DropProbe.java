package dev.blitz.io.future;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A future that watches its owner: it is pending for some polls, then ends, and takes note of every
 * breach of the contract: a poll or a drop after the end, a second drop, a call from two threads at
 * once. {@link #verify} fails if there was any, also if a combinator swallowed what the probe
 * threw.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // one user at a time is what it checks
public final class DropProbe<T> implements Future<T> {
  /** Where the future is in its life. */
  public enum State {
    FRESH,
    POLLED,
    ENDED,
    DROPPED
  }

  private final String name;
  private final int pendingPolls;
  private final @Nullable T value;
  private final @Nullable Exception failure;
  private final @Nullable RuntimeException onDrop;
  private final AtomicReference<@Nullable Thread> user = new AtomicReference<>();
  private final List<String> breaches = Collections.synchronizedList(new ArrayList<>());
  private volatile State state = State.FRESH;
  private volatile int polls;

  private DropProbe(
      String name,
      int pendingPolls,
      @Nullable T value,
      @Nullable Exception failure,
      @Nullable RuntimeException onDrop) {
    this.name = name;
    this.pendingPolls = pendingPolls;
    this.value = value;
    this.failure = failure;
    this.onDrop = onDrop;
  }

  /** Pending for {@code pendingPolls} polls, then this value. */
  public static <T> DropProbe<T> value(String name, int pendingPolls, T value) {
    return new DropProbe<>(name, pendingPolls, value, null, null);
  }

  /** Pending for {@code pendingPolls} polls, then this failure. */
  public static <T> DropProbe<T> failure(String name, int pendingPolls, Exception failure) {
    return new DropProbe<>(name, pendingPolls, null, failure, null);
  }

  /** Pending for ever. */
  public static <T> DropProbe<T> never(String name) {
    return new DropProbe<>(name, Integer.MAX_VALUE, null, null, null);
  }

  /** The same probe, whose drop throws. */
  public DropProbe<T> throwingOnDrop(RuntimeException e) {
    return new DropProbe<>(name, pendingPolls, value, failure, e);
  }

  @Override
  public @Nullable T poll(Context cx) throws Exception {
    enter("poll");
    try {
      if (state == State.ENDED || state == State.DROPPED) {
        throw breach("polled after it was " + state);
      }
      int before = polls;
      polls = before + 1;
      if (before < pendingPolls) {
        state = State.POLLED;
        cx.waker().wake();
        return null;
      }
      state = State.ENDED;
      if (failure != null) {
        throw failure;
      }
      return value;
    } finally {
      user.set(null);
    }
  }

  @Override
  public void drop() {
    enter("drop");
    try {
      if (state == State.ENDED || state == State.DROPPED) {
        throw breach("dropped after it was " + state);
      }
      state = State.DROPPED;
      if (onDrop != null) {
        throw onDrop;
      }
    } finally {
      user.set(null);
    }
  }

  private void enter(String call) {
    if (!user.compareAndSet(null, Thread.currentThread())) {
      throw breach(call + " while another call was in progress");
    }
  }

  private AssertionError breach(String what) {
    breaches.add(name + " was " + what);
    return new AssertionError(name + " was " + what);
  }

  /** Where it is now. */
  public State state() {
    return state;
  }

  /** How often it was polled. */
  public int polls() {
    return polls;
  }

  /** Fails if the contract was broken. */
  public void verify() {
    assertThat(breaches).isEmpty();
  }

  /** Fails if the contract was broken, or if the future was neither ended nor dropped. */
  public void verifyReleased() {
    verify();
    assertThat(state).as(name).isIn(State.ENDED, State.DROPPED);
  }

  @Override
  public String toString() {
    return name;
  }
}
