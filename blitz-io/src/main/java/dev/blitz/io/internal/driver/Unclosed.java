package dev.blitz.io.internal.driver;

import dev.blitz.io.internal.base.FailureLog;
import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Closes what its owner has lost without closing it, as soon as the garbage collector finds out,
 * and tells of the first one.
 */
/* Implementation notes
 *
 * The cleaner knows the endpoint, and so does the driver; neither knows the handle (TcpStream and its like), which every
 * operation has, also one that waits: its waker leads from the endpoint to the task, to the future, to the handle. So a
 * handle that nobody has any more has nobody waiting either. An operation that is being polled keeps its handle by a
 * reachability fence, or the collector might close the socket in the middle of the last one.
 */
public final class Unclosed implements Runnable {
  /** Null if there was no thread to be had for it: then nothing is watched. */
  private static final @Nullable Cleaner CLEANER = tryCreate();

  private static final AtomicBoolean TOLD = new AtomicBoolean();

  private final Endpoint endpoint;
  private final String what;

  private Unclosed(Endpoint endpoint, String what) {
    this.endpoint = endpoint;
    this.what = what;
  }

  private static @Nullable Cleaner tryCreate() {
    try {
      return Cleaner.create();
    } catch (Throwable t) { // a class that fails to initialise would be lost for good
      return null;
    }
  }

  /** Watches {@code handle}, which must not be reachable from {@code endpoint}. */
  public static Cleaner.Cleanable watch(Object handle, Endpoint endpoint, String what) {
    Cleaner cleaner = CLEANER;
    return cleaner == null ? () -> {} : cleaner.register(handle, new Unclosed(endpoint, what));
  }

  @Override
  public void run() {
    if (!endpoint.isOpen()) {
      return; // as it should be
    }
    endpoint.close();
    if (TOLD.compareAndSet(false, true)) {
      FailureLog.tryLog(
          System.Logger.Level.WARNING,
          what
              + " was left open, and nobody has it any more: it has been closed now. Close it when"
              + " you are done, best by try-with-resources. This is told once.",
          null);
    }
  }
}
