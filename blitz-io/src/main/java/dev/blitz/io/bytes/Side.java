package dev.blitz.io.bytes;

import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.StackRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One side of a stream: whoever operates on it owns it until its operation ends, so that there is
 * one at a time.
 */
/* Implementation notes
 *
 * owner: null -> operation (compareAndSet) when it begins, operation -> null (volatile) when it ends. That pair is
 * also the happens-before edge between two users of the stream's side.
 *
 * retired: written once (volatile) by whoever ends the side, read after a claim: an operation that claimed before
 * goes on, one that claims after is refused.
 *
 * last: what is done on the side after its last operation. Written (volatile) before `retired`, by whoever ends the
 * side, who then tries to claim it; taken by whoever has claimed it, so once. release writes `owner` and then reads
 * `last`; retire writes `last` and then claims `owner`: one of the two finds the other's. A pending future that owns
 * the side is woken, and ends: it writes its waker and then reads `retired`, retire the other way round.
 */
final class Side {
  private static final VarHandle OWNER = Fields.of(MethodHandles.lookup(), "owner", Object.class);

  private final boolean reads;
  private volatile @Nullable Object owner;
  private volatile @Nullable String retired;
  private volatile @Nullable Runnable last;

  private Side(boolean reads) {
    this.reads = reads;
  }

  static Side ofReading() {
    return new Side(true);
  }

  static Side ofWriting() {
    return new Side(false);
  }

  void claim(Object claimant) {
    StackRoom.forStep(); // also to give it back
    if (!OWNER.compareAndSet(this, null, claimant)) {
      throw new IllegalStateException(refusal(owner));
    }
    String why = retired;
    if (why != null) {
      release(); // also does what is last, if whoever retires has met us
      throw new IllegalStateException(why);
    }
  }

  /** Refuses all operations from now on, and says {@code why}. */
  void retire(String why) {
    retired = why;
  }

  /** As {@link #retire(String)}; {@code last} is run when no operation has the side any more. */
  void retire(String why, Runnable last) {
    this.last = last;
    retired = why;
    doLast();
    if (owner instanceof SideFuture<?> pending) {
      pending.ownerRetired();
    }
  }

  boolean isRetired() {
    return retired != null;
  }

  /** Whether {@link #retire(String, Runnable)} may end an operation that is pending. */
  boolean isWriting() {
    return !reads;
  }

  void release() {
    owner = null;
    if (last != null) {
      doLast();
    }
  }

  /** Does what is last, if it has not been done and nobody has the side. */
  void doLast() {
    while (last != null && OWNER.compareAndSet(this, null, this)) {
      Runnable task = last;
      last = null;
      try {
        if (task != null) {
          task.run();
        }
      } catch (StackOverflowError e) {
        last = task; // for who comes with more
        throw e;
      } finally {
        owner = null;
      }
    }
  }

  private String refusal(@Nullable Object other) {
    String why = retired;
    if (why != null) {
      return why;
    }
    if (other instanceof ReadHalf<?> || other instanceof WriteHalf<?>) {
      return "this stream has been split: use its halves";
    }
    return "another "
        + (reads ? "read" : "write")
        + " is pending on this stream, and there can be one at a time ("
        + other
        + "): "
        + (reads
            ? "let one task read, and pass what it got to the others by a Channel"
            : "several tasks that write hold a Mutex around each message, or send their messages by"
                + " a Channel to one task that writes");
  }
}
