package dev.blitz.benchmarks.scheduler;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state machines of {@link BlitzTasks} that spawn. Each returns what it has counted. */
final class BlitzSpawns {
  private BlitzSpawns() {}

  /** Spawns a batch, joins it in order, and so on. */
  static final class SpawnJoin implements Future<Long> {
    private final List<JoinHandle<Integer>> handles;
    private final int batch;
    private int batchesLeft;
    private int joined;
    private long sum;

    SpawnJoin(int batches, int batch) {
      this.batch = batch;
      batchesLeft = batches;
      handles = new ArrayList<>(batch);
    }

    @Override
    public @Nullable Long poll(Context cx) {
      for (; ; ) {
        while (joined < handles.size()) {
          Integer value = handles.get(joined).poll(cx);
          if (value == null) {
            return null;
          }
          sum += value;
          joined++;
        }
        if (batchesLeft-- == 0) {
          return sum;
        }
        spawnBatch();
      }
    }

    private void spawnBatch() {
      handles.clear();
      joined = 0;
      for (int i = 0; i < batch; i++) {
        int value = i & SchedulerSizes.SMALL;
        handles.add(Task.spawn(cx -> value));
      }
    }
  }

  /** Spawns many tasks and waits until the last has run. */
  static final class SpawnMany implements Future<Long> {
    private final int count;
    private final BlitzCountdown countdown = new BlitzCountdown();
    private boolean spawned;

    SpawnMany(int count) {
      this.count = count;
    }

    @Override
    public @Nullable Long poll(Context cx) {
      if (!spawned) {
        spawned = true;
        countdown.set(count);
        for (int i = 0; i < count; i++) {
          Future<Done> body =
              task -> {
                countdown.arrive();
                return Done.DONE;
              };
          Task.spawn(body);
        }
      }
      return countdown.done.take(cx) ? (Long) (long) count : null;
    }
  }

  /** Starts a chain and waits for its end. */
  static final class Chain implements Future<Long> {
    private final int length;
    private final BlitzSlot end = new BlitzSlot();
    private boolean started;

    Chain(int length) {
      this.length = length;
    }

    @Override
    public @Nullable Long poll(Context cx) {
      if (!started) {
        started = true;
        Task.spawn(new Link(length, end));
      }
      return end.take(cx) ? (Long) (long) length : null;
    }
  }

  /** Spawns the next. */
  record Link(int left, BlitzSlot end) implements Future<Done> {
    @Override
    public Done poll(Context cx) {
      if (left == 0) {
        end.put();
      } else {
        Task.spawn(new Link(left - 1, end));
      }
      return Done.DONE;
    }
  }
}
