package dev.blitz.io;

import org.jspecify.annotations.Nullable;

/** Calls near the end of a stack. */
public final class DeepStack {
  private static final int STACK_BYTES = 256 * 1024;

  /** Something that may overflow. */
  @FunctionalInterface
  public interface Call {
    /** {@code level}: 0 for the deepest. */
    void make(int level) throws Exception;
  }

  private final int levels;
  private final DeepCalls.Call callNow;
  private int level;
  private int now;
  private int overflows;
  private @Nullable Throwable unexpected;

  private DeepStack(int levels, Call call) {
    this.levels = levels;
    callNow = () -> call.make(now);
  }

  /**
   * Makes the call on the way back from the end of a stack of its own, at each of the last {@code
   * levels}.
   *
   * @return how many of them overflowed
   */
  public static int climb(int levels, Call call) throws InterruptedException {
    OwnFrame.of(0); // the class is there
    var climb = new DeepStack(levels, call);
    Thread thread = new Thread(null, () -> climb.dive(1, 2, 3, 4), "deep", STACK_BYTES);
    thread.start();
    thread.join();
    if (climb.unexpected != null) {
      throw new AssertionError("level " + climb.level, climb.unexpected);
    }
    return climb.overflows;
  }

  @SuppressWarnings("InfiniteRecursion") // that is what it is for
  private long dive(long a, long b, long c, long d) {
    long sum = a + b + c + d;
    try {
      sum += dive(b, c, d, sum);
    } catch (StackOverflowError e) {
      // this is the end
    }
    if (level < levels) {
      now = level;
      level = now + 1;
      try {
        OwnFrame.of(now).make(callNow);
      } catch (StackOverflowError e) {
        overflows++;
      } catch (Throwable t) {
        unexpected = t;
        level = levels;
      }
    }
    return sum;
  }
}
