package dev.blitz.io.sync;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.LinkList;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.Waiter;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A point that a fixed number of tasks reach before any of them goes on. Reusable: when all have
 * arrived the next meeting begins.
 *
 * {@snippet :
 * Barrier phase = Barrier.create(4);
 * compute();
 * if (phase.arrive().await().isLeader()) { // the last of the four
 *   publish();
 * }
 * }
 *
 * <p>A future that is dropped while others are still missing takes its arrival back: the barrier
 * then waits for somebody else. One that is dropped later takes back nothing; all had arrived.
 */
/* Implementation notes
 *
 * `waiting` holds those who have arrived; its lock guards it, `arrived` and `meetings`. The
 * invariant under the lock: arrived = number of elements < parties. Whoever completes a meeting empties the
 * list, and wakes after the lock: a follower of the next meeting is never among those it wakes.
 */
public final class Barrier {
  private final int parties;
  private final @Nullable String name;
  private final LinkList waiting = new LinkList();
  private int arrived;
  private long meetings;

  private Barrier(@Nullable String name, int parties) {
    if (parties < 1) {
      throw new IllegalArgumentException("a barrier for " + parties + " parties: at least one");
    }
    this.name = name;
    this.parties = parties;
  }

  /**
   * A barrier for so many.
   *
   * @throws IllegalArgumentException if {@code parties < 1}
   */
  public static Barrier create(int parties) {
    return new Barrier(null, parties);
  }

  /** The same, with a name for messages and dumps. */
  public static Barrier create(String name, int parties) {
    return new Barrier(Objects.requireNonNull(name, "name"), parties);
  }

  /** Arrives with the first poll, and waits until all have. */
  @CheckReturnValue
  public UncheckedFuture<Arrival> arrive() {
    return new Arrive(this);
  }

  /** Arrives as the leader if all others have; otherwise it does not count as arrived. */
  public boolean tryArrive() {
    StackRoom.forCalls();
    Link followers;
    waiting.lock();
    try {
      if (arrived + 1 < parties) {
        return false;
      }
      followers = complete();
    } finally {
      waiting.unlock();
    }
    Waiter.wakeAll(followers);
    return true;
  }

  /** How many arrive before all go on. */
  public int parties() {
    return parties;
  }

  /** How often all have arrived. */
  public long meetings() {
    waiting.lock();
    try {
      return meetings;
    } finally {
      waiting.unlock();
    }
  }

  /** How many have arrived of this meeting. */
  public int arrived() {
    waiting.lock();
    try {
      return arrived;
    } finally {
      waiting.unlock();
    }
  }

  /** Begins the next meeting; under the lock. */
  private @Nullable Link complete() {
    Link followers = waiting.takeAll();
    for (Link link = followers; link != null; link = link.following()) {
      ((Arrive) link).settle(Arrive.RELEASED);
    }
    arrived = 0;
    meetings++;
    return followers;
  }

  /** True if this arrival completes the meeting; else it waits. */
  private boolean arrive(Arrive arrival, Waker waker) {
    Link followers;
    waiting.lock();
    try {
      if (arrived + 1 < parties) {
        arrived++;
        arrival.enter(waiting, waker);
        return false;
      }
      followers = complete();
    } finally {
      waiting.unlock();
    }
    Waiter.wakeAll(followers);
    return true;
  }

  private void withdraw(Arrive arrival) {
    waiting.lock();
    try {
      if (arrival.leave(waiting)) {
        arrived--;
      }
    } finally {
      waiting.unlock();
    }
  }

  @Override
  public String toString() {
    return "Barrier["
        + (name == null ? "" : name + ", ")
        + arrived()
        + " of "
        + parties
        + " arrived, meeting "
        + meetings()
        + "]";
  }

  private static final class Arrive extends Waiter implements UncheckedFuture<Arrival> {
    static final byte RELEASED = 1;
    private static final byte ENDED = 2;

    private final Barrier barrier;

    Arrive(Barrier barrier) {
      this.barrier = barrier;
    }

    @Override
    public @Nullable Arrival poll(Context cx) {
      byte now = outcome();
      if (now == UNSETTLED) {
        if (!isArmed()) {
          return arrive(cx);
        }
        now = pollAgain(barrier.waiting, cx.waker());
      }
      return switch (now) {
        case UNSETTLED -> null;
        case RELEASED -> {
          disarm();
          settle(ENDED);
          yield Arrival.FOLLOWER;
        }
        default -> throw new IllegalStateException("polled after completion: " + this);
      };
    }

    private @Nullable Arrival arrive(Context cx) {
      StackRoom.forCalls();
      if (!cx.proceed()) {
        return null;
      }
      if (!barrier.arrive(this, cx.waker())) {
        cx.refund();
        return null;
      }
      settle(ENDED);
      return Arrival.LEADER;
    }

    @Override
    public void drop() {
      if (isArmed()) {
        barrier.withdraw(this);
      }
    }

    @Override
    public String toString() {
      return "the others at " + barrier;
    }
  }
}
