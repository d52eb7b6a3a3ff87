package dev.blitz.parallel.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A fork that thieves can see. Whoever wins the claim runs it: a thief through {@link #execute}, or
 * its owner inline through {@link #run}. The latch is set only by a thief; the owner needs none.
 */
final class SharedFork extends ResultLatch {
  private static final int FREE = 0;
  private static final int BY_THIEF = 1;
  private static final int BY_OWNER = 2;

  private static final VarHandle CLAIMED = Fields.of(MethodHandles.lookup(), "claimed", int.class);

  private final Object work;
  private final long number;
  private final @Nullable Object argument;

  private volatile int claimed;

  private SharedFork(
      Object work, long number, @Nullable Object argument, Thread owner, @Nullable Latch parent) {
    super(owner, parent);
    this.work = work;
    this.number = number;
    this.argument = argument;
  }

  /**
   * Takes over what the frame holds; its argument, which later forks may not overwrite, leaves it.
   */
  static SharedFork of(Frame frame, Thread owner, @Nullable Latch parent) {
    Object work = frame.work;
    if (work == null) {
      throw new IllegalStateException("a private frame without work");
    }
    var fork = new SharedFork(work, frame.number, frame.argument, owner, parent);
    frame.argument = null;
    return fork;
  }

  boolean isClaimed() {
    return claimed != FREE;
  }

  /** By a thief, who then must complete it. */
  boolean tryClaim() {
    return claimed == FREE && CLAIMED.compareAndSet(this, FREE, BY_THIEF);
  }

  /** By the owner, who runs it inline or abandons it; the latch stays unset. */
  boolean tryClaimByOwner() {
    return claimed == FREE && CLAIMED.compareAndSet(this, FREE, BY_OWNER);
  }

  boolean isClaimedByOwner() {
    return claimed == BY_OWNER;
  }

  /** Itself: what the thief forks meanwhile is made within it. */
  @Override
  public Latch within() {
    return this;
  }

  @Override
  Object run() throws Exception {
    return Works.run(work, number, argument);
  }
}
