package dev.blitz.io;

import org.jspecify.annotations.Nullable;

/** Calls near the end of a stack. */
public final class DeepStack extends Climb {
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
    climb.run();
    if (climb.unexpected != null) {
      throw new AssertionError("level " + climb.level, climb.unexpected);
    }
    return climb.overflows;
  }

  @Override
  boolean isOver() {
    return level >= levels;
  }

  @Override
  void level() {
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
}
