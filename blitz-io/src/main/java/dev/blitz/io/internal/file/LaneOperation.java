package dev.blitz.io.internal.file;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.blocking.BlockingPool;
import dev.blitz.io.internal.task.JoinCell;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An operation that a thread of the lane does. */
/* Implementation notes
 *
 * The call keeps what it throws: nobody joins its task, whose end merely tells that there will be no more. The end
 * comes once: from the task's end, or, if that came before anybody could be told, from begin().
 *
 * A close of the runtime whose deadline has passed ends the task while its call goes on. Then only who waits is told:
 * the file is in use until the call has ended, or that would meet somebody else's file under the same number.
 *
 *   IDLE -> RUNS      get
 *   RUNS -> RAN       get, at its end; the end of the task lets go of the file
 *   RUNS -> DESERTED  the end of the task, while it runs; get lets go of the file
 *   IDLE -> DESERTED  the end of the task, or it could not begin: it never runs
 */
abstract class LaneOperation extends FileOperation implements ThrowingSupplier<Done>, Waker {
  private static final int IDLE = 0;
  private static final int RUNS = 1;
  private static final int RAN = 2;
  private static final int DESERTED = 3;

  private final BlockingPool pool;
  private final String operation;
  private final Object path;
  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger call = new AtomicInteger(IDLE);
  private @Nullable JoinCell<Done> task;
  private long result;
  private @Nullable Throwable failure;

  /** What has no offsets may wait for ever, and does so where it keeps nothing else waiting. */
  LaneOperation(LaneFiles lane, OpenFile file, String operation) {
    this(file.isSeekable() ? lane.pool() : lane.pipes(), file, operation, file.path());
  }

  LaneOperation(BlockingPool pool, @Nullable OpenFile file, String operation, Object path) {
    super(file);
    this.pool = pool;
    this.operation = operation;
    this.path = path;
  }

  /** Does it, on a thread of the lane. */
  abstract long run() throws IOException;

  /** Hands it to the lane; its file has counted it. */
  final void begin() {
    StackRoom.forCalls();
    boolean begun = false;
    try {
      // Bytes that were taken are written, also if the runtime is closed before their turn.
      JoinCell<Done> cell = JoinCell.of(pool.submit(this, changesFile(), null));
      begun = true;
      task = cell;
      if (!cell.wakeAtEnd(this)) {
        wake();
      }
    } finally {
      if (!begun) {
        notBegun();
      }
    }
  }

  /** It was counted, and will never begin. */
  final void notBegun() {
    over.set(true);
    call.set(DESERTED);
    over();
    ended();
  }

  /** It has been done, or will never be; once, before anybody is told. */
  void over() {}

  @Override
  public final Done get() {
    if (!call.compareAndSet(IDLE, RUNS)) {
      return Done.DONE; // nobody waits for it any more
    }
    try {
      result = run();
    } catch (Throwable t) {
      failure = t;
    }
    if (!call.compareAndSet(RUNS, RAN)) {
      over();
      letGoOfFile();
    }
    return Done.DONE;
  }

  /** The task has ended. */
  @Override
  public final void wake() {
    if (over.compareAndSet(false, true)) {
      if (call.getAndUpdate(now -> now == RAN ? RAN : DESERTED) == RUNS) {
        tell();
      } else {
        over();
        ended();
      }
    }
  }

  @Override
  protected final void withdraw() {
    JoinCell<Done> cell = task;
    if (cell != null && !changesFile()) {
      pool.withdraw(cell);
    }
  }

  @Override
  protected final long result() throws IOException {
    if (call.get() != RAN) {
      throw neverRun();
    }
    Throwable thrown = failure;
    if (thrown == null) {
      return result;
    }
    if (thrown instanceof IOException e) {
      throw FileErrors.told(e, operation, path);
    }
    if (thrown instanceof RuntimeException e) {
      throw e;
    }
    if (thrown instanceof Error e) {
      throw e;
    }
    throw new IOException(thrown);
  }
}
