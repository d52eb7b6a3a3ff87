package dev.blitz.io.internal.base;

import java.lang.ref.Cleaner;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Closes what its owner has lost without closing it, as soon as the garbage collector finds out,
 * and tells of the first one of a kind; in development of the first one of a place, and which.
 */
public final class LostHandles implements Runnable {
  /** Null if there was no thread to be had for it: then nothing is watched. */
  private static final @Nullable Cleaner CLEANER = tryCreate();

  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  /** What is behind a handle; it must not know the handle. */
  public interface Held {
    /** Whether nobody has closed it. */
    boolean isOpen();

    /** Closes it; never waits. */
    void close();
  }

  private final Held held;
  private final String what;

  private LostHandles(Held held, String what) {
    this.held = held;
    this.what = what;
  }

  private static @Nullable Cleaner tryCreate() {
    try {
      return Cleaner.create();
    } catch (Throwable t) { // a class that fails to initialise would be lost for good
      return null;
    }
  }

  /** Watches {@code handle}; {@code what} it is called in the log. */
  public static Cleaner.Cleanable watch(Object handle, Held held, String what) {
    Cleaner cleaner = CLEANER;
    return cleaner == null
        ? () -> {}
        : cleaner.register(handle, new LostHandles(held, what + place()));
  }

  private static String place() {
    return Development.isOn()
        ? ", made at " + StackWalker.getInstance().walk(Frames::firstOfUser) + ","
        : "";
  }

  @Override
  public void run() {
    if (!held.isOpen()) {
      return; // as it should be
    }
    held.close();
    if (TOLD.add(what)) {
      tryWarn(
          what
              + " was never closed, and nobody has it any more: it has been closed now. Close it when"
              + " you are done, best by try-with-resources. This is told once.");
    }
  }

  /** A logger may need memory, or a descriptor for its first line. */
  private static void tryWarn(String message) {
    try {
      System.getLogger("dev.blitz.io").log(System.Logger.Level.WARNING, message);
    } catch (Throwable notNow) {
      TOLD.clear(); // the next one tells
    }
  }
}
