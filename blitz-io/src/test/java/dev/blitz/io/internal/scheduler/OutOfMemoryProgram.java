package dev.blitz.io.internal.scheduler;

import dev.blitz.io.internal.task.PollContext;
import dev.blitz.io.internal.task.QueueItem;
import org.jspecify.annotations.Nullable;

/** Uses the queues while there is no memory, in a JVM with a small heap. */
final class OutOfMemoryProgram {
  private static final int RING = 1_024;
  private static final int SEGMENT = 256;

  /** Each failed allocation costs collections: with few places it is soon over. */
  private static final int SMALL_SEGMENT = 4;

  private static final class Item implements QueueItem {
    @Override
    public void run(PollContext cx) {}

    @Override
    public void abandon(PollContext cx) {}

    @Override
    public void closing() {}
  }

  private static final QueueItem ITEM = new Item();

  /** Takes turns in the LIFO slot with {@link #ITEM}, so that one sees whose it is. */
  private static final QueueItem OTHER = new Item();

  /** What fills the heap: each array's first element is the one before. */
  private static Object @Nullable [] ballast;

  private OutOfMemoryProgram() {}

  public static void main(String[] args) {
    link();
    String wrong = "";
    for (int round = 0; round < 6 && wrong.isEmpty(); round++) {
      wrong = push();
    }
    wrong += spill(false) + spill(true);
    System.out.println("wrong: " + (wrong.isEmpty() ? "none" : wrong));
    System.exit(0);
  }

  /** The first use of a call site takes memory, for the JVM. */
  private static void link() {
    var queue = new InjectQueue(SEGMENT);
    var ring = new LocalRunQueue<QueueItem>(RING);
    for (int i = 0; i < 3 * RING; i++) {
      ring.push(ITEM, queue);
      ring.pushLifo(ITEM, queue);
    }
    while (queue.pop() != null || ring.pop() != null) {
      ballast = new Object[1];
    }
    ballast = null;
  }

  /** As many as a wake may need before the memory is back. */
  private static String push() {
    var queue = new InjectQueue(SEGMENT);
    int pushed = SEGMENT - 50;
    for (int i = 0; i < pushed; i++) {
      queue.push(ITEM);
    }
    boolean refused = false;
    fill();
    try {
      for (int i = 0; i < 100; i++) {
        queue.push(ITEM);
        pushed++;
      }
    } catch (OutOfMemoryError e) {
      refused = true;
    } finally {
      ballast = null;
    }
    int taken = 0;
    while (queue.pop() != null) {
      taken++;
    }
    return (refused ? "a push was refused; " : "")
        + (taken == pushed ? "" : taken + " of " + pushed + " came out; ");
  }

  /**
   * Into a full ring, until all is full: without memory for half of the ring a task gets in alone,
   * and none is lost when even that fails.
   *
   * @param newest whether they go through the LIFO slot
   */
  private static String spill(boolean newest) {
    var queue = new InjectQueue(SMALL_SEGMENT);
    var ring = new LocalRunQueue<QueueItem>(RING);
    int pushed = 0;
    for (; pushed < RING; pushed++) {
      ring.push(ITEM, queue);
    }
    if (newest) {
      ring.swapLifo(inTurn(pushed));
      pushed++;
    }
    int before = pushed;
    boolean refused = false;
    fill();
    try {
      for (; pushed < before + 2 * SMALL_SEGMENT; pushed++) {
        if (newest) {
          ring.pushLifo(inTurn(pushed), queue);
        } else {
          ring.push(ITEM, queue);
        }
      }
    } catch (OutOfMemoryError e) {
      refused = true;
    } finally {
      ballast = null;
    }
    int left = queue.length() + ring.length() + (ring.hasLifo() ? 1 : 0);
    boolean kept = !newest || ring.popLifo() == inTurn(pushed - 1);
    return (refused ? "" : "there was memory; ")
        + (kept ? "" : "the task of the LIFO slot is lost; ")
        + (pushed >= before + SMALL_SEGMENT / 2 ? "" : (pushed - before) + " got in; ")
        + (left == pushed ? "" : left + " of " + pushed + " are left; ");
  }

  private static QueueItem inTurn(int number) {
    return number % 2 == 0 ? ITEM : OTHER;
  }

  private static void fill() {
    for (int size = 1 << 20; size >= 1; size /= 2) {
      try {
        for (; ; ) {
          var more = new Object[size];
          more[0] = ballast;
          ballast = more;
        }
      } catch (OutOfMemoryError e) {
        // Smaller ones may still fit.
      }
    }
  }
}
