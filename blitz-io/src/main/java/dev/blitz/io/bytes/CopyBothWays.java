package dev.blitz.io.bytes;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.wait.SafeCalls;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** {@link Bytes#copyBothWays}: two copies of which each ends the other stream's output. */
final class CopyBothWays implements IoFuture<Traffic> {
  private static final long UNFINISHED = -1;

  private final CopyFuture there;
  private final CopyFuture back;
  private long copiedThere = UNFINISHED;
  private long copiedBack = UNFINISHED;
  private boolean over;

  /** Whose turn it is: the first may use up the budget of a poll. */
  private boolean backFirst;

  CopyBothWays(ByteStream one, ByteStream other) {
    there = new CopyFuture(one, other, true);
    back = new CopyFuture(other, one, true);
  }

  @Override
  public @Nullable Traffic poll(Context cx) throws IOException {
    if (over) {
      throw new IllegalStateException(this + " was already awaited or dropped; make a new one");
    }
    backFirst = !backFirst;
    if (backFirst) {
      copiedBack = poll(back, there, copiedBack, copiedThere, cx);
    }
    copiedThere = poll(there, back, copiedThere, copiedBack, cx);
    if (!backFirst) {
      copiedBack = poll(back, there, copiedBack, copiedThere, cx);
    }
    if (copiedThere == UNFINISHED || copiedBack == UNFINISHED) {
      return null;
    }
    over = true;
    return new Traffic(copiedThere, copiedBack);
  }

  /** What fails ends both. */
  private long poll(CopyFuture copy, CopyFuture other, long copied, long copiedOther, Context cx)
      throws IOException {
    if (copied != UNFINISHED) {
      return copied;
    }
    try {
      Long done = copy.poll(cx);
      return done == null ? UNFINISHED : done;
    } catch (Throwable t) {
      over = true;
      if (copiedOther == UNFINISHED) {
        SafeCalls.drop(other);
      }
      throw t;
    }
  }

  @Override
  public void drop() {
    over = true;
    if (copiedThere == UNFINISHED) {
      SafeCalls.drop(there);
    }
    if (copiedBack == UNFINISHED) {
      SafeCalls.drop(back);
    }
  }

  @Override
  public String toString() {
    return there + ", " + back;
  }
}
