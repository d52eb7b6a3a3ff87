package dev.blitz.io.overflow;

/**
 * Recursion without end that does something at each level, on the way down or on the way back, so
 * that it is done with every possible rest of the stack.
 */
final class Descent {
  /** On the way down, roughly. */
  private static final int LEVELS_DOWN = 1_500;

  /** On the way back only the innermost levels are of interest. */
  private static final int LEVELS_BACK = 700;

  /**
   * Where the way down of a virtual thread ends that waits on the way. When it waits, its compiled
   * frames are moved to the heap and only the uppermost come back, so that its stack has no end but
   * that of the memory. More levels than fit on a stack: one that does not wait meets its end.
   */
  private static final int LEVELS_OF_A_VIRTUAL_THREAD = 30_000;

  private final Operation operation;

  /** Levels above this one have room enough. */
  private final int first;

  /** Small frames: every so many levels are enough to meet each step of an operation. */
  private final int stride;

  /** Levels below this one do not exist. */
  private final int last =
      Thread.currentThread().isVirtual() ? LEVELS_OF_A_VIRTUAL_THREAD : Integer.MAX_VALUE;

  private int level;
  private int back;

  private Descent(Operation operation, int first, int stride) {
    this.operation = operation;
    this.first = first;
    this.stride = stride;
  }

  /** What is done at each level; it may overflow, and nothing else may go wrong. */
  interface Operation {
    void run() throws Exception;
  }

  private static final class DeepEnough extends Exception {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("StaticAssignmentOfThrowable") // there is no stack to make one with
    static final DeepEnough NOW = new DeepEnough();

    private DeepEnough() {
      super("", null, false, false);
    }
  }

  /** Operates at each level of the way down. The levels begin {@code shift} frames lower. */
  static void down(Operation operation, int shift) throws Exception {
    int levels = levels(shift);
    var descent = new Descent(operation, levels / 2, 1 + levels / LEVELS_DOWN);
    try {
      descent.shiftDown(shift);
    } catch (StackOverflowError | DeepEnough e) {
      return; // what it is about
    }
    throw new AssertionError("the stack has no end");
  }

  private static int levels(int shift) throws Exception {
    var descent = new Descent(() -> {}, 0, 1);
    try {
      descent.shiftDown(shift);
    } catch (StackOverflowError e) {
      // It has been counted.
    }
    return descent.level;
  }

  /** Operates at each level of the way back from the end of the stack. */
  static void up(Operation operation, int shift) throws Exception {
    var descent = new Descent(operation, 0, 1);
    try {
      descent.shiftUp(shift);
    } catch (StackOverflowError e) {
      // That of the recursion, or the operation's own.
    }
  }

  private void shiftDown(int shift) throws Exception {
    if (shift > 0) {
      shiftDown(shift - 1);
    } else {
      narrow();
    }
  }

  private void shiftUp(int shift) throws Exception {
    if (shift > 0) {
      shiftUp(shift - 1);
    } else {
      back();
    }
  }

  private void narrow() throws Exception {
    step();
    wide(1, 2, 3);
  }

  /** Another size of frame, so that the rest of the stack is not always a multiple of one. */
  private void wide(long a, long b, long c) throws Exception {
    step();
    narrow();
    if (a + b + c == 0) {
      throw new AssertionError("keeps the arguments");
    }
  }

  private void step() throws Exception {
    if (level++ > last) {
      throw DeepEnough.NOW;
    }
    if (level >= first && level % stride == 0) {
      operation.run();
    }
  }

  @SuppressWarnings("InfiniteRecursion") // until the stack ends
  private void back() throws Exception {
    try {
      back();
    } finally {
      if (back < LEVELS_BACK) {
        back++;
        operation.run();
      }
    }
  }
}
