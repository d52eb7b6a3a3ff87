package dev.blitz.io.internal.wait;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Knows which of a combinator's many futures want a poll, so that an event costs one poll and not
 * one of each. Belongs to the owner of the combinator; only wakes come from elsewhere.
 *
 * <p>A pass is one poll of the combinator: {@link #begin}, then {@link #next} until it answers
 * null, then {@link #end}.
 */
/* Implementation notes
 *
 * Ownership. Everything but the three words below is the owner's. A Branch is made for the first poll of
 * its future; it is both the waker that the future keeps and the context it is polled with.
 *
 * Protocol
 *   wake    marks its branch; whoever turns the mark on pushes the branch, then wakes the combinator.
 *   pass    sets the waker, takes the whole stack once, and for each branch taken clears the mark, then polls.
 * What comes during the pass is left for the next one: a future that wakes itself cannot keep the owner.
 * A branch that is refused for want of budget is marked and ends the pass; so does a budget that is used up before the
 * next one is polled. Those that were never polled, then those that were taken and not polled are first in the next
 * pass, which has been asked for by the refusal.
 * A pass in a last look polls all: what an unwoken one waits for may be in the kernel, and nobody has been told. All marks go first;
 * if such a pass is cut short the next one goes on with it, or polls all again, from there, if it is a look too.
 *
 * Orderings
 *   word    | writer         | reader | mode              | pairs with
 *   marked  | wake, unmark   | both   | getAndSet         | an RMW also where it is set: unmark comes later and
 *           |                |        |                   | acquires what the waker wrote, or the mark is gone
 *           |                |        |                   | and pushes. A mere read would lose the wake
 *   ready   | push, take     | both   | CAS, getAndSet    | take acquires `next` of what was pushed
 *   owner   | begin, close   | push   | volatile          | begin writes, then takes; push pushes, then reads: one of
 *           |                |        |                   | the two sees the other
 *
 * Progress: a wake is lock-free, one RMW if the branch is marked already.
 *
 * Lineage: the ready queue of FuturesUnordered in futures-rs. Ours is a stack that is taken as a whole and sorted,
 * because earlier futures win a tie; nothing has to survive the combinator, so no branch is counted or locked.
 */
public final class Branches {
  /**
   * Up to so many futures are polled all at each wake: that is cheaper than a waker for each, and
   * the common case.
   */
  public static final int MOST_WITHOUT = 16;

  private static final Branch[] NONE = {};
  private static final Comparator<Branch> BY_PLACE = Comparator.comparingInt(b -> b.place);
  private static final VarHandle READY = Fields.of(MethodHandles.lookup(), "ready", Branch.class);

  private final int width;
  private int begun;

  /** All that were begun or added: the first {@code known}. */
  private Branch[] all;

  private int known;

  /** In a pass that polls all: so many still, of the first {@code among}, from {@code place}. */
  private int toAsk;

  private int among;
  private int place;

  /** Taken from the stack and not polled yet: from {@code turn} to {@code turns}. */
  private Branch[] taken = NONE;

  private int turn;
  private int turns;

  private @Nullable Context cx;
  private boolean tookStack;
  private boolean stopped;
  private volatile boolean over;
  private volatile @Nullable Waker owner;
  private volatile @Nullable Branch ready;

  private Branches(int width) {
    this.width = width;
    all = width == 0 ? NONE : new Branch[width];
  }

  /** For a combinator of {@code width} futures; null if that is not many. */
  public static @Nullable Branches forMany(int width) {
    return width > MOST_WITHOUT ? new Branches(width) : null;
  }

  /** For a combinator whose futures come and go: it says for whom there is a branch. */
  public static Branches onDemand() {
    return new Branches(0);
  }

  /**
   * A branch of {@link #onDemand}; its owner polls it first, in a pass, and then when it is woken.
   */
  public Branch add(int place) {
    if (known == all.length) {
      all = Arrays.copyOf(all, Math.max(2, 2 * known));
    }
    return know(new Branch(this, place));
  }

  private Branch know(Branch branch) {
    all[known++] = branch;
    return branch;
  }

  // --- Passes ---

  /** A pass begins. */
  public void begin(Context cx) {
    this.cx = cx;
    stopped = false;
    tookStack = false;
    Waker now = cx.waker();
    if (owner != now) {
      owner = now;
    }
    if (LastLook.isUnderWay()) {
      askAll();
    }
  }

  private void askAll() {
    toAsk = known; // first: whoever loses its mark is polled, if not in this pass
    among = known;
    while (turn < turns) {
      taken[turn++].unmark();
    }
    tookStack = true;
    for (Branch b = (Branch) READY.getAndSet(this, null); b != null; ) {
      Branch older = b.next;
      b.next = null;
      b.unmark();
      b = older;
    }
  }

  /** The next branch to poll; null if the pass is over. */
  public @Nullable Branch next() {
    if (stopped) {
      return null;
    }
    if (turn == turns && !tookStack) {
      tookStack = true;
      takeStack();
    }
    if (turn == turns && toAsk == 0 && hasBegunAll()) {
      return null;
    }
    if (!context().mayProceed()) {
      stopped = true;
      return null;
    }
    if (!hasBegunAll()) { // first, or those that were woken could use up each budget
      Branch first = know(new Branch(this, begun));
      begun++;
      return first;
    }
    if (toAsk > 0) {
      Branch next = all[place];
      toAsk--;
      place = toAsk == 0 || place + 1 == among ? 0 : place + 1;
      return next;
    }
    Branch branch = taken[turn++];
    branch.unmark();
    return branch;
  }

  /** Whether each has had its first poll. */
  public boolean hasBegunAll() {
    return begun == width;
  }

  /** Whether the budget was used up in this pass: whoever has not had a turn has the next. */
  public boolean hasStopped() {
    return stopped;
  }

  /** The pass is over. */
  public void end() {
    cx = null;
    if (turn == turns) {
      taken = NONE; // a large pass leaves nothing behind
      turn = 0;
      turns = 0;
    }
  }

  /** The combinator has ended: further wakes do nothing. */
  public void close() {
    over = true;
    owner = null;
    all = NONE;
    known = 0;
    toAsk = 0;
    place = 0;
    taken = NONE;
    turn = 0;
    turns = 0;
  }

  /** Whether it was closed. */
  public boolean isOver() {
    return over;
  }

  private void takeStack() {
    Branch top = (Branch) READY.getAndSet(this, null);
    int n = 0;
    for (Branch b = top; b != null; b = b.next) {
      n++;
    }
    taken = n == 0 ? NONE : new Branch[n];
    turn = 0;
    turns = n;
    for (Branch b = top; b != null; ) {
      Branch older = b.next;
      b.next = null;
      taken[--n] = b;
      b = older;
    }
    if (turns > 1) {
      Arrays.sort(taken, BY_PLACE);
    }
  }

  // --- For the branches ---

  Context context() {
    Context now = cx;
    if (now == null) {
      throw new IllegalStateException(
          "this context's poll has ended: a future may keep the waker, never the context");
    }
    return now;
  }

  /** The budget is used up. */
  void stopPass() {
    stopped = true;
  }

  void push(Branch branch) {
    if (over) {
      return;
    }
    Branch top;
    do {
      top = ready;
      branch.next = top;
    } while (!READY.compareAndSet(this, top, branch));
    Waker whom = owner;
    if (whom != null) {
      whom.wake();
    }
  }

  /**
   * Not when the present owner is over: another task may go on with the combinator, and does not
   * poll again what has not been woken.
   */
  boolean isObsolete() {
    return over;
  }
}
