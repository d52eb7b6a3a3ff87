package dev.blitz.io;

/**
 * Visits the levels of a stack from its end upwards, a small frame apart. Between them and the
 * beginning of the stack are large frames: at an overflow the JVM looks through all that there are.
 */
abstract class Climb {
  private static final int STACK_BYTES = 256 * 1024;

  /** At least as long together as a large frame, interpreted or compiled. */
  private static final int SMALL_FRAMES = 16;

  /** Called at each level. */
  abstract void level();

  /** Whether what is further up has room enough. */
  abstract boolean isOver();

  /** On a thread of its own; returns when all levels have been visited, or it is over. */
  final void run() throws InterruptedException {
    Thread thread =
        new Thread(
            null,
            () ->
                large(
                    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                    23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40),
            "deep",
            STACK_BYTES);
    thread.start();
    thread.join();
  }

  /**
   * Each of the values is needed after the call, by itself, so that no compiler makes it smaller.
   */
  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private long large(
      long v0,
      long v1,
      long v2,
      long v3,
      long v4,
      long v5,
      long v6,
      long v7,
      long v8,
      long v9,
      long v10,
      long v11,
      long v12,
      long v13,
      long v14,
      long v15,
      long v16,
      long v17,
      long v18,
      long v19,
      long v20,
      long v21,
      long v22,
      long v23,
      long v24,
      long v25,
      long v26,
      long v27,
      long v28,
      long v29,
      long v30,
      long v31,
      long v32,
      long v33,
      long v34,
      long v35,
      long v36,
      long v37,
      long v38,
      long v39) {
    long sum = 1;
    try {
      sum =
          large(
              v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16, v17, v18, v19,
              v20, v21, v22, v23, v24, v25, v26, v27, v28, v29, v30, v31, v32, v33, v34, v35, v36,
              v37, v38, v39, v0);
    } catch (StackOverflowError end) {
      // the levels begin here
    }
    if (!isOver()) {
      small(SMALL_FRAMES);
    }
    sum = sum * v0 + 1;
    sum = sum * v1 + 1;
    sum = sum * v2 + 1;
    sum = sum * v3 + 1;
    sum = sum * v4 + 1;
    sum = sum * v5 + 1;
    sum = sum * v6 + 1;
    sum = sum * v7 + 1;
    sum = sum * v8 + 1;
    sum = sum * v9 + 1;
    sum = sum * v10 + 1;
    sum = sum * v11 + 1;
    sum = sum * v12 + 1;
    sum = sum * v13 + 1;
    sum = sum * v14 + 1;
    sum = sum * v15 + 1;
    sum = sum * v16 + 1;
    sum = sum * v17 + 1;
    sum = sum * v18 + 1;
    sum = sum * v19 + 1;
    sum = sum * v20 + 1;
    sum = sum * v21 + 1;
    sum = sum * v22 + 1;
    sum = sum * v23 + 1;
    sum = sum * v24 + 1;
    sum = sum * v25 + 1;
    sum = sum * v26 + 1;
    sum = sum * v27 + 1;
    sum = sum * v28 + 1;
    sum = sum * v29 + 1;
    sum = sum * v30 + 1;
    sum = sum * v31 + 1;
    sum = sum * v32 + 1;
    sum = sum * v33 + 1;
    sum = sum * v34 + 1;
    sum = sum * v35 + 1;
    sum = sum * v36 + 1;
    sum = sum * v37 + 1;
    sum = sum * v38 + 1;
    sum = sum * v39 + 1;
    return sum;
  }

  private void small(int below) {
    if (below > 0) {
      try {
        small(below - 1);
      } catch (StackOverflowError end) {
        // this is the deepest
      }
    }
    if (!isOver()) {
      level();
    }
  }
}
