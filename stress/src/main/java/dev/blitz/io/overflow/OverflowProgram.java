package dev.blitz.io.overflow;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.CancelledException;
import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.observe.CloseReport;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Does each operation at each level of recursions without end, from each kind of thread, and then
 * looks whether it still works on the same objects. Ends with 0 if all do; with 1 and the reason at
 * the first that does not.
 *
 * <p>Arguments: workers, rounds, by how many frames the first is shifted, and the name of an
 * operation if not all are to be done.
 */
@SuppressWarnings("SystemOut") // A command-line program.
final class OverflowProgram {
  /** For what takes milliseconds. */
  private static final long LIMIT_MILLIS = 30_000;

  private static final int STACK_BYTES = 256 << 10;

  private OverflowProgram() {}

  /** Who recurses. */
  enum Place {
    PLATFORM_THREAD,
    STACKLESS_TASK,
    DIRECT_TASK
  }

  public static void main(String[] args) {
    var plan =
        new Plan(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
    for (Operations.Maker maker : Operations.ALL) {
      if (args.length > 3 && !maker.name().equals(args[3])) {
        continue;
      }
      long start = System.nanoTime();
      for (Place place : Place.values()) {
        if (maker.places().contains(place)) {
          attempt(maker, place, plan);
        }
      }
      System.out.println(maker.name() + ": " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }
    System.out.println("all operations survived");
    System.exit(0);
  }

  /** How each operation is tried. */
  private record Plan(int workers, int rounds, int shift) {}

  private static void attempt(Operations.Maker maker, Place place, Plan plan) {
    String what = maker.name() + " in a " + place.name().toLowerCase(Locale.ROOT);
    var runtime =
        BlitzRuntime.builder().workers(plan.workers).uncaughtHandler((task, failure) -> {}).build();
    within(
        what + ": the whole",
        () -> {
          health(runtime, what + ", before");
          Subject subject = maker.of(runtime, place);
          for (int i = 0; i < 20; i++) { // loads the classes and links the calls
            recurse(runtime, place, subject, cx -> subject.operate(cx));
          }
          for (int round = 0; round < plan.rounds; round++) {
            int shift = plan.shift + round;
            recurse(runtime, place, subject, cx -> Descent.down(() -> subject.operate(cx), shift));
            within(what + ", on the way down", subject::check);
            health(runtime, what + ", on the way down");
            recurse(runtime, place, subject, cx -> Descent.up(() -> subject.operate(cx), shift));
            within(what + ", on the way back", subject::check);
            health(runtime, what + ", on the way back");
          }
          within(what + ", at the end", subject::end);
        });
    CloseReport report = runtime.close(Duration.ofMillis(LIMIT_MILLIS));
    if (!report.clean()) {
      fail(what + ": " + report, null);
    }
  }

  /** The state of one operation. */
  interface Subject {
    /** At one level; {@code cx} to poll with. */
    void operate(Context cx) throws Exception;

    /** Whether it still works. */
    default void check() throws Exception {}

    /** The last check. */
    default void end() throws Exception {}
  }

  interface Body {
    void run(Context cx) throws Exception;
  }

  interface Check {
    void run() throws Exception;
  }

  private static void recurse(BlitzRuntime runtime, Place place, Subject subject, Body body)
      throws Exception {
    switch (place) {
      case PLATFORM_THREAD -> onThread(() -> body.run(Context.of(() -> {})));
      case STACKLESS_TASK -> runtime.spawn(new InPoll(body)).await();
      case DIRECT_TASK -> {
        var end = new AtomicReference<@Nullable String>();
        JoinHandle<Done> task =
            runtime.spawn(() -> {
              body.run(Context.of(() -> {}));
              end.set("reached");
              Futures.pending().await(); // gives its worker back, if nothing pins it
            });
        while (end.get() == null && !task.isDone()) {
          Thread.onSpinWait();
        }
        health(runtime, subject + " beside the direct task that waits");
        task.cancel();
        try {
          task.await();
          throw new AssertionError("a task that waits for nothing has ended");
        } catch (CancelledException e) {
          // As it must be.
        }
      }
    }
  }

  private record InPoll(Body body) implements Future<Done> {
    @Override
    public Done poll(Context cx) throws Exception {
      body.run(cx);
      return Done.DONE;
    }
  }

  private static void onThread(Check body) throws Exception {
    var failure = new AtomicReference<@Nullable Throwable>();
    var thread =
        new Thread(
            null,
            () -> {
              try {
                body.run();
              } catch (Throwable t) {
                failure.set(t);
              }
            },
            "recursing",
            STACK_BYTES);
    thread.start();
    thread.join();
    if (failure.get() != null) {
      throw new AssertionError("on a platform thread", failure.get());
    }
  }

  /** What every runtime can do. */
  private static void health(BlitzRuntime runtime, String when) {
    within(
        "the runtime after " + when,
        () -> {
          for (int i = 0; i < 5; i++) {
            if (runtime.spawn(Futures.ready(i)).await() != i
                || runtime.run(() -> runtime.spawn(() -> 7).await()) != 7
                || runtime.spawnBlocking(() -> 8).await() != 8) {
              throw new AssertionError("wrong result");
            }
          }
          runtime.run(Task.sleep(Duration.ofMillis(1)));
        });
  }

  private static void within(String what, Check check) {
    var failure = new AtomicReference<@Nullable Throwable>();
    var thread =
        new Thread(() -> {
          try {
            check.run();
          } catch (Throwable t) {
            failure.set(t);
          }
        });
    thread.setDaemon(true);
    thread.start();
    try {
      if (!thread.join(Duration.ofMillis(LIMIT_MILLIS * (what.endsWith("whole") ? 20 : 1)))) {
        fail("hangs: " + what, null);
      }
    } catch (InterruptedException e) {
      fail("interrupted: " + what, e);
    }
    if (failure.get() != null) {
      fail(what, failure.get());
    }
  }

  private static void fail(String what, @Nullable Throwable cause) {
    System.out.println("FAILED " + what);
    if (cause != null) {
      cause.printStackTrace(System.out);
    }
    Thread.getAllStackTraces()
        .forEach((thread, stack) -> {
          System.out.println(thread.getName() + " " + thread.getState());
          for (StackTraceElement frame : List.of(stack).subList(0, Math.min(12, stack.length))) {
            System.out.println("    " + frame);
          }
        });
    System.out.flush();
    Runtime.getRuntime().halt(1);
  }
}
