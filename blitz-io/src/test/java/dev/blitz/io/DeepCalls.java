package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;

/** Makes calls with ever less room on the stack. */
public final class DeepCalls {
  /**
   * A call is made at one of so many levels: they lie closer together than what they are to find.
   */
  private static final int STRIDE = 3;

  /** Where so many calls have not overflowed there is room enough. */
  private static final int ENOUGH = 100 / STRIDE;

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
   * @param round each of three meets other places
   * @return how many of them overflowed
   */
  public static int downToTheEnd(Call call, int round) throws InterruptedException {
    OwnFrame.of(0); // the class is there
    var climb = new EachStride(call, round);
    climb.run();
    assertThat(climb.unexpected).isNull();
    return climb.overflows;
  }

  private static final class EachStride extends Climb {
    private final Call call;
    private int visited;
    private int calls;
    private int overflows;

    /** Calls since the last overflow. */
    private int calm;

    private @Nullable Throwable unexpected;

    EachStride(Call call, int round) {
      this.call = call;
      visited = round;
    }

    @Override
    boolean isOver() {
      return calm >= ENOUGH || unexpected != null;
    }

    @Override
    void level() {
      if (visited++ % STRIDE != 0) {
        return;
      }
      try {
        OwnFrame.of(calls++).make(call);
        calm++;
      } catch (StackOverflowError e) {
        overflows++;
        calm = 0;
      } catch (Throwable t) {
        unexpected = t;
      }
    }
  }
}
