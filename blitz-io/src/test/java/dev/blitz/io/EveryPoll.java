package dev.blitz.io;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.testkit.Await;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Drops a future after each number of polls, at once and when it has been woken. */
public final class EveryPoll {
  private EveryPoll() {}

  /** Makes a fresh world each time. */
  @FunctionalInterface
  public interface World<T> {
    /** What is dropped, and what must hold then. */
    Scene<T> make() throws Exception;
  }

  /** What must hold afterwards. */
  @FunctionalInterface
  public interface Check<T> {
    /** {@code value}: null if it was dropped. */
    void after(@Nullable T value) throws Exception;
  }

  /**
   * One world.
   *
   * @param future what is dropped
   * @param check what must hold
   */
  public record Scene<T>(IoFuture<T> future, Check<T> check) {}

  /**
   * Until the future ends before it is dropped.
   *
   * @return after how many polls that was
   */
  public static <T> int drop(World<T> world) throws Exception {
    for (int polls = 0; ; polls++) {
      boolean atOnce = dropAfter(polls, false, world);
      if (dropAfter(polls, true, world) || atOnce) {
        return polls;
      }
      assertThat(polls).as("polls without an end").isLessThan(1000);
    }
  }

  private static <T> boolean dropAfter(int polls, boolean woken, World<T> world) throws Exception {
    Scene<T> scene = world.make();
    T value = poll(scene.future(), polls, woken);
    if (value == null) {
      scene.future().drop();
    }
    scene.check().after(value);
    return value != null;
  }

  private static <T> @Nullable T poll(IoFuture<T> future, int polls, boolean woken)
      throws IOException {
    var wakes = new AtomicInteger();
    Context cx = Context.of(wakes::incrementAndGet);
    T value = null;
    for (int i = 0; i < polls && value == null; i++) {
      int before = wakes.get();
      value = future.poll(cx);
      if (value == null && (woken || i < polls - 1)) {
        Await.until(() -> wakes.get() > before, "a wake");
      }
    }
    return value;
  }
}
