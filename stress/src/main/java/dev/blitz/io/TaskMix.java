package dev.blitz.io;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tasks of all kinds. Those that wait do so at the gates or for ever; each counts its end, so that
 * a body which ends twice or never is noticed.
 */
final class TaskMix {
  final Gate early = new Gate();
  final Gate late = new Gate();
  final Queue<JoinHandle<?>> handles = new ConcurrentLinkedQueue<>();
  final Queue<Expected> failures = new ConcurrentLinkedQueue<>();

  /** Of blocking calls: one that throws after it was cancelled counts as cancelled. */
  final Queue<Expected> blockingFailures = new ConcurrentLinkedQueue<>();

  private final Queue<AtomicInteger> ends = new ConcurrentLinkedQueue<>();
  private final BlitzRuntime rt;

  TaskMix(BlitzRuntime rt) {
    this.rt = rt;
  }

  /** Spawns a task; false if the runtime is closed. */
  boolean spawn(SplittableRandom random) {
    var end = new AtomicInteger();
    Future<Done> body = body(random, random.nextInt(12)).whenDone(end::incrementAndGet);
    var handle = RuntimeProbe.trySpawn(() -> rt.spawn(body));
    if (handle == null) {
      return false;
    }
    ends.add(end);
    handles.add(handle);
    if (random.nextInt(8) == 0) {
      handle.detach();
    }
    return true;
  }

  private Future<Done> body(SplittableRandom random, int kind) {
    return switch (kind) {
      case 0 -> Futures.done();
      case 1 -> Futures.pending();
      case 2 -> early.pass();
      case 3 -> late.pass();
      // Cancelled under the shield it must still pass the gate, and end right after.
      case 4 -> Task.shielded(early.pass()).andThen(done -> Futures.pending());
      case 5 -> Task.shielded(Task.shielded(late.pass()).andThen(done -> Task.yieldNow()));
      case 6 -> yields(random.nextInt(1, 40));
      case 7 -> fails(yields(random.nextInt(3)));
      case 8 -> fails(early.pass());
      case 9 -> Futures.race(Futures.pending(), early.pass(), late.pass());
      case 10 -> joinsAChild(random);
      default -> cancelsAnother(random);
    };
  }

  private static Future<Done> yields(int times) {
    var left = new AtomicInteger(times);
    return Futures.loop(() ->
        left.decrementAndGet() < 0
            ? Futures.stop()
            : Task.yieldNow().map(done -> Futures.Step.MORE));
  }

  private Future<Done> fails(Future<Done> first) {
    var failure = new Expected();
    failures.add(failure);
    return first.map(done -> {
      throw failure.now();
    });
  }

  /** The child is in the list of handles too; when the parent is cancelled it goes on. */
  private Future<Done> joinsAChild(SplittableRandom random) {
    Future<Done> child = yields(random.nextInt(4));
    return Futures.lazy(
            () -> {
              var handle = RuntimeProbe.trySpawn(() -> Task.spawn(child));
              if (handle == null) {
                return Futures.done();
              }
              handles.add(handle);
              return Futures.outcome(handle).map(outcome -> Done.DONE);
            })
        .andThen(joined -> joined);
  }

  private Future<Done> cancelsAnother(SplittableRandom random) {
    int skip = random.nextInt(20);
    return Futures.lazy(() -> {
      handles.stream().skip(skip).findFirst().ifPresent(JoinHandle::cancel);
      return Done.DONE;
    });
  }

  /** After all tasks have ended. */
  void checkEndedOnce() {
    for (AtomicInteger end : ends) {
      if (end.get() != 1) {
        throw new AssertionError("a task's future ended " + end + " times");
      }
    }
  }

  List<JoinHandle<?>> all() {
    return List.copyOf(handles);
  }
}
