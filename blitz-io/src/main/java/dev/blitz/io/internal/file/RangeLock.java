package dev.blitz.io.internal.file;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLock;
import org.jspecify.annotations.Nullable;

/**
 * A part of a file that somebody wants to lock, or has locked. One owner at a time: who asks for
 * it, whoever has been given it, and at last the thread that gives it back.
 */
/* Implementation notes
 *
 *   NEW       -> ASKED      FileLocks.tryClaim, by who asks: others of this file that overlap are refused from now on
 *   ASKED     -> HELD       take(), by who asked
 *   ASKED     -> LEFT       leaveSoon(), by who asked, who is gone: others that overlap wait, as the system may still grant it
 *   ASKED, LEFT -> GONE     leave(false): the system has not granted it
 *   ASKED, LEFT, HELD -> RELEASING   leave(true), release(): once
 *   RELEASING -> GONE       when the system has it back
 *   RELEASING -> HELD       if there was no stack or memory to give it back by: it can be given back again
 *
 * All under the lock of FileLocks. It is given back when no dropped write is under way any more, which this waits for
 * as a waker; by a thread of the lane, or, where that cannot be had, by the one that is here.
 */
public final class RangeLock extends Link implements Waker {
  /** A state. */
  enum State {
    NEW,
    ASKED,
    LEFT,
    HELD,
    RELEASING,
    GONE
  }

  private final OpenFile file;
  private final long position;
  private final long length;
  private final boolean shared;
  private final OpenFile.StragglerWait stragglers = new OpenFile.StragglerWait();

  /** Guarded by the lock of {@link FileLocks}, read by anyone. */
  volatile State state = State.NEW;

  /** What the JDK has for it; only for whoever does what the system is asked for. */
  @Nullable FileLock jdk;

  private @Nullable LaneUnlock unlock;
  private volatile @Nullable Throwable failure;
  private volatile boolean awaited;

  /** Nothing is asked for yet. */
  public RangeLock(OpenFile file, long position, long length, boolean shared) {
    this.file = file;
    this.position = position;
    this.length = length;
    this.shared = shared;
  }

  OpenFile file() {
    return file;
  }

  /** Where it begins. */
  public long position() {
    return position;
  }

  /** How many bytes it has. */
  public long length() {
    return length;
  }

  /** Whether others may have it at the same time, if they are content to share it. */
  public boolean isShared() {
    return shared;
  }

  /** Whether it reaches to the end of the file, however long that becomes. */
  boolean isToTheEnd() {
    return position + length == Long.MAX_VALUE;
  }

  boolean overlaps(RangeLock other) {
    return position < other.position + other.length && other.position < position + length;
  }

  /** Whether it is locked. */
  public boolean isHeld() {
    return state == State.HELD && file.isOpen();
  }

  // --- For who asks ---

  /** It has been granted, and is the caller's. */
  public void take() {
    file.locks().move(this, State.ASKED, State.HELD);
  }

  /** Nobody wants it any more, and the system may be about to grant it. */
  public void leaveSoon() {
    file.locks().move(this, State.ASKED, State.LEFT);
  }

  /** Nobody wants it any more; {@code granted}: whether the system has granted it. */
  public void leave(boolean granted) {
    if (granted) {
      giveBack(false);
    } else {
      file.locks().remove(this);
    }
  }

  // --- For who has it ---

  /** Gives it back, without waiting; a failure is logged. */
  public void release() {
    giveBack(false);
  }

  /** As {@link #release}; a failure is told by {@link #throwFailure}. */
  void releaseAwaited() {
    giveBack(true);
  }

  private void giveBack(boolean waitsForIt) {
    StackRoom.forMany(); // what is claimed is given back
    var next = new LaneUnlock(file.lane(), this);
    if (!file.locks().tryBeginRelease(this)) {
      return;
    }
    boolean proceeds = false;
    try { // here, as the call itself may overflow: compiled, it looks at its entry for all it needs
      unlock = next;
      awaited = waitsForIt;
      proceed(next);
      proceeds = true;
    } finally {
      if (!proceeds) {
        notGivenBack();
      }
    }
  }

  private void notGivenBack() {
    file.locks().move(this, State.RELEASING, State.HELD);
  }

  /** Whoever calls it has a way back. */
  private void proceed(LaneUnlock next) {
    try {
      if (file.awaitStragglers(stragglers, this)) {
        file.begin(next);
        tryBegin(next);
      }
    } catch (ClosedChannelException e) {
      over(null); // the system has it back, or will have, with the descriptor
    }
  }

  private void tryBegin(LaneUnlock next) {
    try {
      next.begin();
    } catch (Throwable noThread) {
      if (!file.tryUse()) {
        over(null);
        return;
      }
      try {
        over(unlockNow());
      } finally {
        file.release();
      }
    }
  }

  /** On a thread that may wait. */
  @Nullable IOException unlockNow() {
    try {
      file.unlockNow(this);
      return null;
    } catch (ClosedChannelException e) {
      return null; // which has done it
    } catch (IOException e) {
      return e;
    }
  }

  /** It has been given back, or cannot be. */
  void over(@Nullable Throwable thrown) {
    failure = thrown;
    file.locks().remove(this);
    if (thrown != null && !awaited) {
      FailureLog.log("unlocking a part of " + file.path(), thrown);
    }
  }

  /** The dropped writes have ended, or the file is closed. */
  @Override
  public void wake() {
    LaneUnlock next = unlock;
    if (next == null) {
      return;
    }
    boolean proceeds = false;
    try {
      proceed(next);
      proceeds = true;
    } finally {
      if (!proceeds) {
        notGivenBack();
        file.locks().wakeBehind(this); // who awaits it gives it back again; nobody else will
      }
    }
  }

  void throwFailure() throws IOException {
    switch (failure) {
      case null -> {}
      case IOException e -> throw FileErrors.told(e, "unlock", file.path());
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable t -> throw new IOException(t);
    }
  }

  @Override
  public String toString() {
    return (shared ? "shared lock of " : "lock of ")
        + position
        + (isToTheEnd() ? " and all behind it" : " to " + (position + length))
        + " in "
        + file.path();
  }
}
