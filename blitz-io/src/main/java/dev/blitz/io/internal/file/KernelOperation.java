package dev.blitz.io.internal.file;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.base.StackRoom;
import dev.blitz.io.internal.driver.KernelCall;
import dev.blitz.io.internal.driver.KernelRequest;
import dev.blitz.io.internal.driver.posix.Errno;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.file.FileSystemException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An operation that the kernel does by itself: one call, or several one after the other. */
/* Implementation notes
 *
 * The operation is the owner of its calls, and takes the answer as soon as it is there, on whoever reaps: a file learns of the end also if
 * nobody polls. `seen` lets one of the two take it: the wake, or begin, which finds it there.
 *
 *   field   | writer                                       | reader                       | mode
 *   call    | before it is submitted                       | withdraw, fileClosed         | volatile
 *   result  | answered, before ended()                     | the owner, after the end     | plain; the state has the edge
 *   memory  | before the first call; giveBack              | the calls, the owner         | plain; as above
 *   lost    | answered                                     | giveBack                     | plain; as above
 *   error   | answered, of a call that could not follow    | the owner, after the end     | plain; as above
 */
abstract class KernelOperation extends FileOperation {
  final KernelFiles files;
  private final @Nullable OpenFile file;
  private final String operation;
  private volatile @Nullable Attempt call;
  private @Nullable ByteBuffer memory;
  private int result = -Errno.ECANCELED;
  private boolean lost;
  private @Nullable Error error;
  private volatile boolean ending;

  KernelOperation(KernelFiles files, @Nullable OpenFile file, String operation) {
    super(file);
    this.files = files;
    this.file = file;
    this.operation = operation;
  }

  /** One call of it. */
  private final class Attempt extends KernelCall implements Waker {
    private final AtomicBoolean seen = new AtomicBoolean();

    Attempt(KernelRequest request) {
      super(request, null, memory);
    }

    @Override
    public boolean goesAtOnce() {
      return KernelOperation.this.goesAtOnce();
    }

    void submit() throws IOException {
      call = this;
      files.calls().submit(this);
    }

    /** Once it has been submitted. */
    void look() {
      if (poll(this) != PENDING) {
        wake();
      }
      if (ending) {
        cancel();
      }
    }

    @Override
    public void wake() {
      if (seen.compareAndSet(false, true)) {
        answered(this, poll(this));
      }
    }
  }

  // --- What it does ---

  /** The first call; memory has been taken. */
  abstract KernelRequest first();

  /** The call that follows an answer; null if that was the last. */
  @Nullable KernelRequest next(int answer) {
    return null;
  }

  /** What {@code errno} means. */
  abstract FileSystemException failure(int errno, String operation);

  /** Whether a refusal is what the operation wants to know. */
  boolean isAnswer(int errno) {
    return false;
  }

  /** See {@link KernelCall#goesAtOnce}. */
  boolean goesAtOnce() {
    return false;
  }

  /** Whether it may wait without an end, and is to be cancelled when nobody wants it. */
  boolean mayWaitForEver() {
    return false;
  }

  // --- Its life ---

  /** Has this memory until its end. */
  final void use(ByteBuffer taken) {
    memory = taken;
  }

  final ByteBuffer memory() {
    return Objects.requireNonNull(memory, "memory");
  }

  /** Its file, if any, has counted it. */
  final void begin() throws IOException {
    StackRoom.forCalls();
    Attempt attempt = null;
    try {
      var next = new Attempt(first());
      next.submit();
      attempt = next;
    } finally {
      if (attempt == null) {
        notBegun();
      }
    }
    attempt.look(); // it ends as one that was submitted, whatever comes now
  }

  /** It was counted, and will never begin. */
  final void notBegun() {
    ended();
  }

  private void answered(Attempt attempt, int answer) {
    lost |= attempt.isMemoryLost();
    int last = answer;
    Attempt again = null;
    try {
      KernelRequest next = isUnasked(last) ? attempt.request() : next(last);
      if (next != null && !lost) {
        var following = new Attempt(next);
        following.submit();
        again = following;
      }
    } catch (IOException | RuntimeException e) {
      last = -Errno.ECANCELED;
    } catch (Error e) {
      last = -Errno.ECANCELED;
      error = e;
    }
    if (again != null) {
      again.look();
      return;
    }
    result = last;
    finished(last);
    ended();
  }

  /**
   * Nobody has asked for this end: the kernel ends so what was submitted by a thread that has ended
   * since. A runtime that closes refuses the call that follows.
   */
  private boolean isUnasked(int answer) {
    return !ending && (answer == -Errno.EINTR || answer == -Errno.ECANCELED);
  }

  /** The last answer, before anybody is told. */
  void finished(int answer) {}

  @Override
  protected final void withdraw() {
    if (mayWaitForEver()) {
      end();
    }
  }

  @Override
  final void fileClosed() {
    super.fileClosed();
    if (mayWaitForEver()) {
      end();
    }
  }

  private void end() {
    ending = true;
    Attempt now = call;
    if (now != null) {
      now.cancel();
    }
  }

  @Override
  protected final long result() throws IOException {
    if (result >= 0 || isAnswer(-result)) {
      return value(result);
    }
    if (error != null) {
      throw error;
    }
    if (result == -Errno.ECANCELED || (ending && result == -Errno.EINTR)) {
      if (file != null && !file.isOpen()) {
        throw new AsynchronousCloseException();
      }
      throw neverRun();
    }
    throw failure(-result, operation);
  }

  /** The kernel's last answer; only after the end. */
  final int answer() {
    return result;
  }

  /** What the last answer means. */
  long value(int answer) {
    return answer;
  }

  @Override
  protected final void giveBack() {
    ByteBuffer mine = memory;
    memory = null;
    discard();
    if (mine != null && !lost) {
      files.staging().giveBack(mine);
    }
  }

  /** Closes what the result stands for, if nobody has taken it. */
  void discard() {}

  @Override
  public final ByteBuffer bytes() {
    return memory();
  }
}
