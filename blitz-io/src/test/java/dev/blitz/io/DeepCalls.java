package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicReference;

/** Makes calls with ever less room on the stack. */
public final class DeepCalls {
  private static final int STACK_BYTES = 256 * 1024;

  /** Where so many calls have not overflowed there is room enough. */
  private static final int ENOUGH = 100;

  private DeepCalls() {}

  /** What is called; a StackOverflowError is expected of it, and nothing else. */
  @FunctionalInterface
  public interface Call {
    /** Makes the call. */
    void make() throws Exception;
  }

  /**
   * Makes the call again and again, on the way back from the end of the stack, on a thread of its
   * own.
   *
   * @param extra shifts where the frames end, so that each round meets other places
   * @return how many of them overflowed
   */
  public static int downToTheEnd(Call call, int extra) throws InterruptedException {
    var unexpected = new AtomicReference<Throwable>();
    OwnFrame.of(0); // the class is there
    var state = new State();
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                dive(call, state, extra);
              } catch (StackOverflowError e) {
                // at the very end
              } catch (Throwable t) {
                unexpected.set(t);
              }
            },
            "deep",
            STACK_BYTES);
    thread.start();
    thread.join();
    assertThat(unexpected).hasNullValue();
    return state.overflows;
  }

  private static final class State {
    int overflows;
    int calls;

    /** Since the last overflow. */
    int calm;
  }

  @SuppressWarnings("InfiniteRecursion") // that is what it is for
  private static long dive(Call call, State state, long extra) throws Exception {
    long a = extra + 1;
    long b = extra + 2;
    try {
      a += dive(call, state, b - 2);
    } finally {
      if (state.calm < ENOUGH) {
        try {
          OwnFrame.of(state.calls++).make(call);
          state.calm++;
        } catch (StackOverflowError e) {
          state.overflows++;
          state.calm = 0;
        }
      }
    }
    return a + b;
  }
}
