package dev.blitz.parallel;

/** Runs something where the stack is nearly full. */
public final class EndOfStack {
  private EndOfStack() {}

  @SuppressWarnings("InfiniteRecursion") // on purpose
  private static int deepest(int level) {
    try {
      return deepest(level + 1);
    } catch (StackOverflowError e) {
      return level;
    }
  }

  /**
   * Runs it further down.
   *
   * @param level how many calls
   */
  public static void atLevel(int level, Runnable what) {
    if (level > 0) {
      atLevel(level - 1, what);
    } else {
      what.run();
    }
  }

  /**
   * Runs it on a worker at some of the last levels of the stack; once before, because a class whose
   * initialiser has met the end of the stack cannot be used any more.
   *
   * @param after is run after each
   */
  public static void near(Pool pool, Runnable what, Runnable after) {
    pool.run(what::run);
    for (int fromEnd = 1; fromEnd < 600; fromEnd += 1 + fromEnd / 8) {
      int up = fromEnd;
      pool.run(() -> {
        try {
          atLevel(deepest(0) - up, what);
        } catch (StackOverflowError e) {
          // What was sorted then still holds its elements; nothing runs on.
        }
      });
      after.run();
    }
  }
}
