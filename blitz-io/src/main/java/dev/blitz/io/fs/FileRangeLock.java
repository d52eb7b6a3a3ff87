package dev.blitz.io.fs;

import dev.blitz.io.future.CheckReturnValue;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.file.FileLocks;
import dev.blitz.io.internal.file.RangeLock;
import dev.blitz.io.internal.wait.Watched;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A part of a file that is locked, until this or the file is closed. It keeps others from locking
 * the same; not from reading and writing it, unless they lock it first.
 *
 * {@snippet :
 * try (var lock = file.lock().await()) {
 *   update(file);
 * } // given back soon after: close does not wait
 * }
 *
 * <p>It is not given back before writes of this file that were dropped have ended. A lock that
 * nobody has any more stays until its file is closed.
 *
 * @see AsyncFile#lock(long, long, boolean)
 */
public final class FileRangeLock implements AutoCloseable {
  private final AsyncFile file;
  private final RangeLock range;

  FileRangeLock(AsyncFile file, RangeLock range) {
    this.file = file;
    this.range = range;
  }

  /** The file. */
  public AsyncFile file() {
    return file;
  }

  /** Where it begins. */
  public long position() {
    return range.position();
  }

  /** How many bytes it has; they need not be in the file. */
  public long length() {
    return range.length();
  }

  /** Whether others may have it too, if they share it. */
  public boolean isShared() {
    return range.isShared();
  }

  /** Whether neither this nor the file has been closed. */
  public boolean isValid() {
    return range.isHeld();
  }

  /** Gives it back; done when others can have it. */
  @CheckReturnValue
  public IoFuture<Done> release() {
    return Watched.io(new Release(file, range));
  }

  private static final class Release implements IoFuture<Done> {
    private final AsyncFile file;
    private final RangeLock range;
    private final FileLocks.Wait wait = new FileLocks.Wait();

    Release(AsyncFile file, RangeLock range) {
      this.file = file;
      this.range = range;
    }

    @Override
    public @Nullable Done poll(Context cx) throws IOException {
      if (!cx.proceed()) {
        return null;
      }
      if (!file.file().locks().awaitRelease(range, wait, cx.waker())) {
        cx.refund();
        return null;
      }
      return Done.DONE;
    }

    /** It is given back all the same, if that has begun. */
    @Override
    public void drop() {
      file.file().locks().forget(wait);
    }

    @Override
    public String toString() {
      return "the end of the " + range;
    }
  }

  /** Gives it back, soon and without waiting for that; once. */
  @Override
  public void close() {
    range.release();
  }

  @Override
  public String toString() {
    return "FileRangeLock[" + range + (isValid() ? "]" : ", closed]");
  }
}
