package dev.blitz.io.internal.file;

import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.Fields;
import dev.blitz.io.internal.base.Link;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.wait.WakerSlot;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One call of the system's that takes a while, begun already, with memory of its own. Its owner
 * polls it until it has ended and then releases it, or abandons it instead.
 *
 * <p>An abandoned one runs to its end all the same. If it changes its file, the file's other
 * operations wait for that ({@link OpenFile#awaitStragglers}).
 */
/* Implementation notes
 *
 * state
 *   BEGUN -> ENDED       ended(), by whoever did it, once; or whoever finds that it will never be done
 *   BEGUN -> ABANDONED   abandon(), by the owner
 * by compare-and-set. The result is written before ENDED, and read after it. Who moves it second gives the memory back: the owner
 * who finds ENDED, or ended() that finds ABANDONED.
 *
 * straggler: guarded by the file's lock; see OpenFile.
 */
public abstract class FileOperation extends Link {
  /** Nothing more to be read. */
  public static final int EOF = -1;

  /** Not yet; the waker has been kept. */
  public static final int PENDING = -2;

  private static final int BEGUN = 0;
  private static final int ENDED = 1;
  private static final int ABANDONED = 2;

  private static final VarHandle STATE = Fields.of(MethodHandles.lookup(), "state", int.class);

  private final @Nullable OpenFile file;
  private final WakerSlot owner = new WakerSlot();
  private volatile int state;

  /** Whether it was abandoned, changes its file and has not ended; guarded by the file's lock. */
  boolean straggler;

  /** {@code file}: what it uses, and must not be closed before its end. */
  protected FileOperation(@Nullable OpenFile file) {
    this.file = file;
  }

  // --- For its owner ---

  /**
   * Looks whether it has ended.
   *
   * @return its result, which the operation defines; {@link #EOF}; or {@link #PENDING}
   */
  public final long poll(Waker waker) throws IOException {
    if (state == BEGUN) {
      owner.set(waker);
      if (state == BEGUN) {
        if (file != null && !file.isOpen()) {
          throw file.closedMeanwhile();
        }
        return PENDING;
      }
      owner.clear();
    }
    return result();
  }

  /** Its waker is not woken any more; it stays the caller's. */
  public final void forget() {
    owner.clear();
  }

  /**
   * Its owner does not wait for it now, and will come back. What it changes is waited for by others
   * as if it had been abandoned.
   */
  public final void leave() {
    owner.clear();
    if (file != null && changesFile()) {
      file.straggles(this);
    }
  }

  /** What was read: from position to limit; only after its end. */
  public abstract ByteBuffer bytes();

  /** Its owner has taken what it wanted; only after its end. */
  public final void release() {
    giveBack();
  }

  /** Nobody will ask for its result. */
  public final void abandon() {
    StackRoom.forCalls();
    owner.clear();
    if (file != null && changesFile()) {
      file.straggles(this);
    }
    if (STATE.compareAndSet(this, BEGUN, ABANDONED) || state == ABANDONED) {
      withdraw(); // also after one that failed: it has not ended, or its end has given back
    } else {
      giveBack();
    }
  }

  // --- For whoever does it ---

  /** Whether the file is another one afterwards. */
  protected abstract boolean changesFile();

  /** The result, after its end. */
  protected abstract long result() throws IOException;

  /** Gives its memory back, and what else the result has; once. */
  protected abstract void giveBack();

  /**
   * It was abandoned: need not be done, if nothing of it has been. There is stack for it, as {@link
   * StackRoom#forCalls}: it must not look for as much again, since it cannot go back.
   */
  protected abstract void withdraw();

  /** The result has been written, or there will be none. */
  protected final void ended() {
    try {
      letGoOfFile();
    } finally {
      tell();
    }
  }

  /** The first half of {@link #ended}: it does not use its file any more. */
  protected final void letGoOfFile() {
    if (file != null) {
      file.ended(this);
    }
  }

  /** The second half: whoever waits for it. */
  protected final void tell() {
    if (STATE.compareAndSet(this, BEGUN, ENDED)) {
      owner.wake();
    } else {
      giveBack();
    }
  }

  /** The file has been closed: its owner should look, and what may never end is ended. */
  void fileClosed() {
    owner.wake();
  }

  /** For one whose turn never came. */
  protected static CancelledException neverRun() {
    return new CancelledException("the runtime was closed before a file operation had its turn");
  }
}
