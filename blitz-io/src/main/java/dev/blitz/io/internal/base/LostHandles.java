package dev.blitz.io.internal.base;

import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Closes what its owner has lost without closing it, as soon as the garbage collector finds out,
 * and tells of the first one of a kind; in development of the first one of a place, and which.
 */
/* Implementation notes
 *
 * Why not a java.lang.ref.Cleaner: its list has a monitor, which workers and virtual threads would share at each
 * socket that is made or closed. A virtual thread that has to wait for it gives up its carrier and is the next to get
 * it; a worker behind it sleeps until that thread has had a carrier, which may be that very worker.
 *
 *   field                  | guard
 *   first, previous, next  | LOCK, under which nothing is called
 *   listed                 | LOCK: who takes it off the list, once, does what is to be done
 */
public final class LostHandles extends PhantomReference<Object> implements Cleaner.Cleanable {
  private static final ReferenceQueue<Object> QUEUE = new ReferenceQueue<>();
  private static final SpinLock LOCK = new SpinLock();

  /** Whether there was a thread to be had for it: without, nothing is watched. */
  private static final boolean WATCHING = tryStart();

  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private static @Nullable LostHandles first;

  /** What is behind a handle; it must not know the handle. */
  public interface Held {
    /** Whether nobody has closed it. */
    boolean isOpen();

    /** Closes it; never waits. */
    void close();
  }

  private final Held held;
  private final String what;
  private @Nullable LostHandles previous;
  private @Nullable LostHandles next;
  private boolean listed;

  private LostHandles(Object handle, Held held, String what) {
    super(handle, QUEUE);
    this.held = held;
    this.what = what;
  }

  private static boolean tryStart() {
    try {
      Machine.REAL.start(Machine.daemon("dev.blitz.io-cleaner", LostHandles::cleanForEver));
      return true;
    } catch (Throwable t) { // a class that fails to initialise would be lost for good
      return false;
    }
  }

  private static void cleanForEver() {
    for (; ; ) {
      try {
        ((LostHandles) QUEUE.remove()).clean();
      } catch (Throwable t) {
        Thread.interrupted(); // of one there may be no memory to tell, and the others follow
      }
    }
  }

  /** Watches {@code handle}; {@code what} it is called in the log. */
  public static Cleaner.Cleanable watch(Object handle, Held held, String what) {
    if (!WATCHING) {
      return () -> {};
    }
    try {
      var watched = new LostHandles(handle, held, what + place());
      LOCK.lock();
      watched.enlist();
      LOCK.unlock();
      return watched;
    } finally {
      Reference.reachabilityFence(handle);
    }
  }

  private static String place() {
    return Development.isOn()
        ? ", made at " + StackWalker.getInstance().walk(Frames::firstOfUser) + ","
        : "";
  }

  private void enlist() {
    LostHandles old = first;
    next = old;
    if (old != null) {
      old.previous = this;
    }
    first = this;
    listed = true;
  }

  private boolean strike() {
    if (!listed) {
      return false;
    }
    listed = false;
    LostHandles before = previous;
    LostHandles after = next;
    previous = null;
    next = null;
    if (before == null) {
      first = after;
    } else {
      before.next = after;
    }
    if (after != null) {
      after.previous = before;
    }
    return true;
  }

  /** Watches it no longer, and closes what is behind it if nobody has. */
  @Override
  public void clean() {
    LOCK.lock();
    boolean mine = strike();
    LOCK.unlock();
    if (mine) {
      clear();
      closeIfOpen();
    }
  }

  private void closeIfOpen() {
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
