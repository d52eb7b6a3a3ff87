package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.current.TaskPoll;
import dev.blitz.io.internal.timer.RuntimeTimers;
import org.jspecify.annotations.Nullable;

/**
 * The last look at a future before its wait is given up: a poll that takes whatever is there.
 * Backends that are told of what comes without asking may not have been told yet: during such a
 * poll they ask the kernel before they wait. And a poll that was cut short is no look: it is made
 * again if the future was woken in it (it had used up its budget, or lets others run first), or if
 * a backend says that something is on its way.
 *
 * <p>The poll's own context and waker: one thread at a time but for {@link #wake}.
 */
/* Implementation notes
 *
 * The mark is the thread's. A poll is made on one thread from its begin to its end, however many futures and
 * streams lie between the look and the endpoint, which know nothing of it; and nobody else is to be slowed down by it, nor
 * by a poll that blocks. A foreign waker that is called meanwhile may poll something else, whose wakes do not come here: for
 * that time the mark is away (leave), and so it is while a thread waits inside the poll for another future. Who asks does so
 * before the usual wait, not in its place, so no wake is lost.
 *
 * On its way. Whoever says so has kept the waker, but may be dropped in the same poll, by a time-out that is over say; what the
 * future waits for then would be no look's affair. So a poll in which somebody said so, and nobody has woken, is made
 * twice: the second one finds only who is still there.
 *
 *   field         | writer                          | reader      | mode
 *   used          | the first look, once            | backends    | volatile; set before the first mark
 *   Place.look    | who polls, on its thread        | the same    | plain
 *   context, place | who polls, for that time       | the same    | plain
 *   waker         | who polls, before               | wakes       | volatile
 *   coming        | who polls, on its thread        | the same    | plain
 *   woken         | who polls, before; wakes        | who polls   | volatile; set before the task is woken, so a wake
 *                 |                                 |             | that is not seen here comes after the poll
 *
 * No initialiser runs for who asks before the first look, perhaps at the end of its stack; that of Place.HERE is small,
 * and there is room for it.
 */
public final class LastLook implements Context, TaskPoll, Waker {
  /** More than any backlog or request takes; one that always finds something more ends too. */
  private static final int MOST_POLLS = 4096;

  private static volatile boolean used;

  /** What is looked at on a thread. */
  private static final class Place {
    static final ThreadLocal<@Nullable Place> HERE = new ThreadLocal<>();

    @Nullable LastLook look;

    static Place ofThread() {
      Place here = HERE.get();
      if (here == null) {
        here = new Place();
        HERE.set(here);
        used = true;
      }
      return here;
    }
  }

  private @Nullable Context context;
  private @Nullable Place place;
  private volatile @Nullable Waker waker;
  private volatile boolean woken;
  private boolean coming;
  private int polls;

  /** Whether a backend has to ask before it waits: the calling thread is looking. */
  public static boolean isUnderWay() {
    return innermost() != null;
  }

  private static @Nullable LastLook innermost() {
    Place here = used ? Place.HERE.get() : null;
    return here == null ? null : here.look;
  }

  /**
   * Something may be on its way to the poll that the calling thread makes; the waker is woken when
   * it is there, or is known not to be.
   */
  public static void onItsWay() {
    LastLook look = innermost();
    if (look != null) {
      look.coming = true;
    }
  }

  /** Whoever calls foreign code that is not looked at: it is not under way until {@link #goOn}. */
  public static @Nullable LastLook leave() {
    LastLook look = innermost();
    if (look != null && look.place != null) {
      look.place.look = null;
    }
    return look;
  }

  /** As before {@link #leave}, which said {@code left}. */
  public static void goOn(@Nullable LastLook left) {
    if (left != null && left.place != null) {
      left.place.look = left;
    }
  }

  /** Polls {@code future}; if that is null it is over, or to be done again after the next wake. */
  public <T> @Nullable T poll(Future<T> future, Context cx) throws Exception {
    Place here;
    try {
      StackRoom.forWake(); // to end it
      here = Place.ofThread();
      waker = cx.waker();
    } catch (Throwable t) { // it has not ended, and nobody else would end it
      SafeCalls.drop(future);
      throw t;
    }
    T value = pollOnce(future, cx, here);
    return value == null && coming && !woken ? pollOnce(future, cx, here) : value;
  }

  private <T> @Nullable T pollOnce(Future<T> future, Context cx, Place here) throws Exception {
    LastLook around = here.look;
    polls++;
    woken = false;
    coming = false;
    context = cx;
    place = here;
    here.look = this;
    try {
      return future.poll(this);
    } finally {
      here.look = around;
      context = null;
      place = null;
      if (around != null) {
        around.coming |= coming;
        if (woken) {
          around.woken = true;
        }
      }
    }
  }

  /** After a poll without a value: whether nothing was there. */
  public boolean isOver() {
    return !(woken || coming) || polls >= MOST_POLLS;
  }

  // --- As the waker of the poll ---

  @Override
  public void wake() {
    woken = true;
    Waker to = waker;
    if (to != null) {
      to.wake();
    }
  }

  @Override
  public boolean isObsolete() {
    Waker to = waker;
    return to != null && to.isObsolete();
  }

  // --- As its context ---

  private Context context() {
    Context now = context;
    if (now == null) {
      throw new IllegalStateException(
          "this context's poll has ended: a future may keep the waker, never the context");
    }
    return now;
  }

  @Override
  public Waker waker() {
    return this;
  }

  @Override
  public boolean proceed() {
    return context().proceed() || wokenAlready();
  }

  @Override
  public boolean mayProceed() {
    return context().mayProceed() || wokenAlready();
  }

  /** False; the task has been woken. */
  private boolean wokenAlready() {
    woken = true;
    return false;
  }

  @Override
  public void refund() {
    context().refund();
  }

  @Override
  public @Nullable Object task() {
    return context instanceof TaskPoll t ? t.task() : null;
  }

  @Override
  public @Nullable RuntimeTimers timers() {
    return context instanceof TaskPoll t ? t.timers() : null;
  }

  @Override
  public boolean goOnAtOnce() {
    boolean known = context instanceof TaskPoll t && t.goOnAtOnce();
    if (known) { // and never written back: a wake may come meanwhile
      woken = true;
    }
    return known;
  }

  @Override
  public String toString() {
    return "last look of " + waker;
  }
}
