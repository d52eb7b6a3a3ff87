package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The pending second halves of one worker's joins, oldest first.
 *
 * <p>The owner pushes, and pops in exactly the reverse order. Nothing is visible to thieves until
 * somebody asks: a private fork costs two plain stores and a comparison, no fence, no allocation.
 */
/*
 * Implementation notes
 *
 * Ownership: frames [0, shared) hold a SharedFork each, which whoever wins its claim runs; frames [shared, bottom)
 * hold user objects and belong to the owner. bottom and shared change only on the owner's thread.
 *
 * Orderings:
 *   field          writer          reader          mode                    pairs with
 *   bottom,shared  owner           owner           plain                   -
 *   frame.work     owner, private  owner           plain                   thieves may see it and ignore it
 *   frame.work     owner, shared   thief           release / acquire       makes the user object visible
 *   published      owner           thief           release / acquire       a hint: frames are checked one by one
 *   visibleFrames  owner           thief           volatile                a stale array holds the same frames
 *   oldest         owner, thief    thief           volatile, CAS           a hint, moved over claimed forks only, by a thief
 *                                                                          whose claim keeps those below from being replaced
 *   limit          owner, thief    owner           volatile, CAS / plain   see "No demand is lost" in the design note; a mark
 *                                                                          replaces a capacity by CAS, so LOOK_AGAIN hides no DEMAND
 *
 * Progress: push, pop and share are wait-free but for growth; steal is lock-free.
 *
 * A stack is its owner's thread: "am I on a worker, and what is its stack" is then one type check of the current
 * thread, and one dependent load less than a field of the thread would cost on every fork.
 *
 * A fork hidden by a stale hint is never lost: its owner joins every fork it pushed.
 */
abstract class ForkStack extends ForkStackTailPadding {
  /** In {@code limit}: fewer forks may be visible than should be; the next push looks. */
  static final int LOOK_AGAIN = -1;

  /** In {@code limit}: a thief found nothing here. The next push looks, and a loop cuts itself. */
  static final int DEMAND = -2;

  private static final VarHandle LIMIT = Fields.of(MethodHandles.lookup(), "limit", int.class);
  private static final VarHandle PUBLISHED =
      Fields.of(MethodHandles.lookup(), "published", int.class);
  private static final VarHandle OLDEST = Fields.of(MethodHandles.lookup(), "oldest", int.class);

  private boolean wasEmpty;

  /**
   * What the job or scope that runs now is within; null for a job without obligations. The owner's;
   * thieves read it plainly, as a hint whether it is worth asking.
   */
  @Nullable Latch within;

  /** Owner: forks from this one on were made within {@link #within}, older ones were not. */
  int withinFrom;

  ForkStack(String name, long stackBytes) {
    super(name, stackBytes);
  }

  /**
   * Owner: the frame that the next {@link #push} will use, for recursive jobs that also set an
   * argument.
   */
  final Frame top() {
    return frames[bottom];
  }

  /**
   * Owner: adds a private fork and returns its index. The caller then asks {@link #needsAttention}.
   */
  final int push(Object work) {
    int index = bottom;
    frames[index].work = work;
    bottom = index + 1;
    return index;
  }

  /** Owner: adds the fork that was written to {@link #top}. */
  final int push() {
    int index = bottom;
    bottom = index + 1;
    return index;
  }

  /** Owner: whether thieves wait for forks, or the stack is full. */
  final boolean needsAttention(int pushed) {
    // Plain: an opaque read would keep the compiler from seeing through the whole join. It may be
    // hoisted out of a loop of
    // joins that were inlined to nothing; such forks are not worth sharing.
    return pushed >= limit;
  }

  /** Owner: whether thieves wait for forks. */
  final boolean isDemanded() {
    return (int) LIMIT.getOpaque(this) == DEMAND;
  }

  /**
   * Owner: takes the youngest fork off if it is private. False: it is shared, and still on the
   * stack.
   */
  final boolean popPrivate(int index) {
    if (index < shared) {
      return false;
    }
    bottom = index;
    return true;
  }

  /** Owner: the shared fork at an index that {@link #popPrivate} refused; keeps it on the stack. */
  final SharedFork sharedAt(int index) {
    SharedFork fork = frames[index].sharedAcquire();
    if (fork == null) {
      throw new IllegalStateException("fork " + index + " is below " + shared + " but private");
    }
    return fork;
  }

  /**
   * Owner: takes the shared fork at {@code index} off; it is the youngest and has been claimed or
   * completed.
   */
  final void popShared(int index) {
    bottom = index;
    shared = index;
    PUBLISHED.setRelease(this, index);
    // Fewer are visible now: the next push decides whether to share itself.
    lookAgain();
  }

  /**
   * Owner: the slow path of a push. Makes room, then shares the oldest private forks until {@code
   * target} unclaimed ones are visible.
   *
   * @return how many were newly shared; {@link #wasEmpty} then says whether any other was visible
   */
  final int share(int target) {
    if (bottom == frames.length) {
      grow();
    }
    // Before counting: a thief that claims after the count sees this store and asks again.
    LIMIT.setVolatile(this, frames.length - 1);
    VarHandle.fullFence();
    int free = unclaimed(target);
    wasEmpty = free == 0;
    int first = shared;
    while (free < target && shared < bottom) {
      Frame frame = frames[shared];
      // An older fork belongs to whatever was going on before: to nobody that we know of.
      frame.shareRelease(SharedFork.of(frame, this, shared >= withinFrom ? within : null));
      shared++;
      free++;
    }
    if (shared > first) {
      if (oldest > first) {
        oldest = first;
      }
      PUBLISHED.setRelease(this, shared);
    }
    if (free < target) {
      lookAgain();
    }
    return shared - first;
  }

  /** Makes the owner's next push look at what is visible; a mark that is there already stays. */
  private void lookAgain() {
    int seen = (int) LIMIT.getVolatile(this);
    if (seen >= 0) {
      // It fails only where another has marked, or the owner looks anew.
      LIMIT.compareAndSet(this, seen, LOOK_AGAIN);
    }
  }

  /** Owner: whether there are forks that nobody else can see. */
  final boolean hasPrivate() {
    return shared < bottom;
  }

  /** Owner: whether the last {@link #share} found no unclaimed fork. */
  final boolean wasEmpty() {
    return wasEmpty;
  }

  /**
   * Owner: shared forks of the current job that nobody has claimed, as far as the hint reaches;
   * stops at enough. Older ones are of no use to somebody who waits for the current job.
   */
  final int unclaimed(int enough) {
    int free = 0;
    for (int i = Math.max(oldest, withinFrom); i < shared && free < enough; i++) {
      SharedFork fork = frames[i].sharedAcquire();
      if (fork != null && !fork.isClaimed()) {
        free++;
      }
    }
    return free;
  }

  private void grow() {
    int old = frames.length;
    Frame[] larger = Arrays.copyOf(frames, Math.multiplyExact(old, 2));
    for (int i = old; i < larger.length; i++) {
      larger[i] = new Frame();
    }
    frames = larger;
    visibleFrames = larger;
  }

  /**
   * Thief: claims the oldest unclaimed fork, and then makes its owner look at what is left; asks
   * for forks when it found none.
   */
  final @Nullable SharedFork steal() {
    return steal(null);
  }

  /**
   * Thief: claims the oldest unclaimed fork that is within {@code wanted}, and asks for more in any
   * case.
   */
  final @Nullable SharedFork steal(@Nullable Latch wanted) {
    int end = (int) PUBLISHED.getAcquire(this);
    int start = oldest;
    SharedFork claimed = null;
    boolean passed = false;
    if (start < end) {
      Frame[] seen = visibleFrames;
      int stop = Math.min(end, seen.length);
      for (int i = start; i < stop; i++) {
        SharedFork fork = seen[i].sharedAcquire();
        if (fork == null || fork.isClaimed()) {
          continue;
        }
        if (wanted != null && !fork.isWithin(wanted)) {
          passed = true;
        } else if (fork.tryClaim()) {
          if (!passed) {
            moveHint(seen, start, i);
          }
          claimed = fork;
          break;
        }
      }
    }
    if (claimed != null) {
      lookAgain();
    } else if (mayOffer(wanted) && (int) LIMIT.getVolatile(this) != DEMAND) {
      LIMIT.setVolatile(this, DEMAND);
    }
    return claimed;
  }

  /**
   * Thief, who has claimed the fork at {@code claimed}: lets others begin behind it. The forks
   * below it were looked at before, when they may have been older ones. From the claim on they stay
   * what they are, because the owner joins this one first; so they are looked at again.
   */
  private void moveHint(Frame[] seen, int start, int claimed) {
    int next = start;
    while (next < claimed) {
      SharedFork fork = seen[next].sharedAcquire();
      if (fork == null || !fork.isClaimed()) {
        break;
      }
      next++;
    }
    int hint = next == claimed ? claimed + 1 : next;
    if (hint != start) {
      OLDEST.compareAndSet(this, start, hint);
    }
  }

  /** Thief: whether the owner's next forks would be within {@code wanted}; a hint. */
  private boolean mayOffer(@Nullable Latch wanted) {
    if (wanted == null) {
      return true;
    }
    Latch current = within;
    return current != null && current.isWithin(wanted);
  }

  /** Anyone: the oldest fork that could be stolen, as far as the hint reaches. */
  final @Nullable SharedFork oldestUnclaimed() {
    Frame[] seen = visibleFrames;
    int end = Math.min((int) PUBLISHED.getAcquire(this), seen.length);
    for (int i = oldest; i < end; i++) {
      SharedFork fork = seen[i].sharedAcquire();
      if (fork != null && !fork.isClaimed()) {
        return fork;
      }
    }
    return null;
  }

  /** Owner: drops references that popped forks left above {@code bottom}. */
  final void clearGarbage() {
    if (frames.length > Tuning.INITIAL_SLOTS && bottom < Tuning.INITIAL_SLOTS) {
      shrink();
    }
    for (int i = bottom; i < frames.length && frames[i].clear(); i++) {}
  }

  /** A thief with the larger array may miss forks that come to lie in new frames, no more. */
  private void shrink() {
    try {
      Frame[] smaller = Arrays.copyOf(frames, Tuning.INITIAL_SLOTS);
      visibleFrames = smaller;
      frames = smaller;
      // The capacity that limit may hold is gone.
      lookAgain();
    } catch (OutOfMemoryError full) {
      // It stays large.
    }
  }
}

/*
 * The fields of ForkStack, in the order of memory. Keeps the owner's fields of a ForkStack and those that thieves
 * touch on different cache lines, and both away from other objects: 128 bytes, because processors prefetch lines in
 * pairs. A superclass's fields are laid out before its subclass's, so the order is that of the hierarchy; a test
 * measures it.
 */
@SuppressWarnings("unused")
abstract class ForkStackPadding extends Thread {
  ForkStackPadding(String name, long stackBytes) {
    super(null, null, name, stackBytes, false);
  }

  long a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15;
  int a16, a17;
}

abstract class ForkStackOwnerFields extends ForkStackPadding {
  ForkStackOwnerFields(String name, long stackBytes) {
    super(name, stackBytes);
  }

  /** The first free frame. */
  int bottom;

  /** Frames below this one are shared; the owner's copy of {@code published}. */
  int shared;

  /** {@code frames[bottom]} always exists. */
  Frame[] frames = newFrames(Tuning.INITIAL_SLOTS);

  static Frame[] newFrames(int length) {
    Frame[] frames = new Frame[length];
    for (int i = 0; i < length; i++) {
      frames[i] = new Frame();
    }
    return frames;
  }
}

@SuppressWarnings("unused")
abstract class ForkStackMiddlePadding extends ForkStackOwnerFields {
  ForkStackMiddlePadding(String name, long stackBytes) {
    super(name, stackBytes);
  }

  long b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15;

  // The JVM fills holes before it appends: these fill the hole that the owner's fields may leave.
  int b16, b17;
}

abstract class ForkStackThiefFields extends ForkStackMiddlePadding {
  ForkStackThiefFields(String name, long stackBytes) {
    super(name, stackBytes);
  }

  /**
   * A push at or above this takes the slow path. Owner: capacity or LOOK_AGAIN; thieves: LOOK_AGAIN
   * or DEMAND. At capacity only while enough forks are visible, so a mark at first: a thief that
   * looked before this stack existed is not going to ask.
   */
  int limit = ForkStack.LOOK_AGAIN;

  /** What thieves know of {@code shared}. */
  volatile int published;

  /** Thieves start here; only a hint. */
  volatile int oldest;

  /** What thieves know of {@code frames}; an older array holds the same frames. */
  volatile Frame[] visibleFrames = frames;
}

@SuppressWarnings("unused")
abstract class ForkStackTailPadding extends ForkStackThiefFields {
  ForkStackTailPadding(String name, long stackBytes) {
    super(name, stackBytes);
  }

  long c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15;
}
