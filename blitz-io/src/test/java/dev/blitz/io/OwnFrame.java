package dev.blitz.io;

/**
 * Makes a call that stays one: no compiler makes it part of its caller. A recursion that had it
 * inside would look for the stack of both before each level, and the call would never overflow.
 *
 * <p>There are three, used by turns: a compiler looks into two at most.
 */
enum OwnFrame {
  FIRST {
    @Override
    void make(DeepCalls.Call call) throws Exception {
      call.make();
    }
  },
  SECOND {
    @Override
    void make(DeepCalls.Call call) throws Exception {
      call.make();
    }
  },
  THIRD {
    @Override
    void make(DeepCalls.Call call) throws Exception {
      call.make();
    }
  };

  private static final OwnFrame[] ALL = values();

  abstract void make(DeepCalls.Call call) throws Exception;

  /** {@code turn} goes up with each call. */
  static OwnFrame of(int turn) {
    return ALL[turn % 3];
  }
}
