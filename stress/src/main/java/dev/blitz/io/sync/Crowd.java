package dev.blitz.io.sync;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.UncheckedFuture;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Tasks on a runtime of their own that all have to end. */
public final class Crowd implements AutoCloseable {
  private static final int MAX_WORKERS = 4;
  private static final int MAX_PATIENCE = 4;

  private final BlitzRuntime runtime;
  private final SplittableRandom random;
  private final List<JoinHandle<?>> members = new ArrayList<>();

  /** Of up to four workers. */
  public Crowd(SplittableRandom random) {
    this.random = random;
    runtime =
        BlitzRuntime.builder()
            .workers(random.nextInt(1, MAX_WORKERS + 1))
            .seed(random.nextLong())
            .stallThreshold(Duration.ZERO)
            .build();
  }

  /** Makes a task from its own generator. */
  @FunctionalInterface
  public interface Member {
    /** The task. */
    Future<?> task(SplittableRandom own);
  }

  /** Makes something inside the runtime, which finds its clock there. */
  public <T> T make(Supplier<T> factory) throws Exception {
    return runtime.run(Futures.lazy(factory::get));
  }

  /** Starts so many. */
  public void spawn(int count, Member member) {
    for (int i = 0; i < count; i++) {
      members.add(runtime.spawn(member.task(random.split())));
    }
  }

  boolean isDone() {
    return members.stream().allMatch(JoinHandle::isDone);
  }

  /** Waits for all; throws what one of them threw. */
  public void join() {
    for (JoinHandle<?> member : members) {
      Patience.until(member::isDone, () -> member + "; tasks: " + runtime.dump());
    }
    members.forEach(JoinHandle::await);
  }

  @Override
  public void close() {
    runtime.close();
  }

  /** A future whose owner may lose patience, at any of its polls or before the first. */
  public static <T> UncheckedFuture<GiveUp.Result<T>> impatient(
      UncheckedFuture<T> future, SplittableRandom own) {
    return new GiveUp<>(future, own.nextInt(3) == 0 ? own.nextInt(MAX_PATIENCE) : GiveUp.NEVER);
  }

  /** Throws unless it holds. */
  public static void check(boolean holds, Object state) {
    if (!holds) {
      throw new AssertionError(String.valueOf(state));
    }
  }
}
