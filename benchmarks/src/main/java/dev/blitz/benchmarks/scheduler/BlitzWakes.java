package dev.blitz.benchmarks.scheduler;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state machines of {@link BlitzTasks} that wake. Each returns what it has counted. */
final class BlitzWakes {
  private BlitzWakes() {}

  /** Lets others run a number of times. */
  static final class Yielder implements Future<Integer> {
    private final int times;
    private int done;

    Yielder(int times) {
      this.times = times;
    }

    @Override
    public @Nullable Integer poll(Context cx) {
      if (done == times) {
        return times;
      }
      done++;
      cx.waker().wake();
      return null;
    }
  }

  /** Spawns those that yield and joins them. */
  static final class Yielders implements Future<Long> {
    private final List<JoinHandle<Integer>> handles = new ArrayList<>();
    private final int tasks;
    private final int times;
    private int joined;
    private long sum;

    Yielders(int tasks, int times) {
      this.tasks = tasks;
      this.times = times;
    }

    @Override
    public @Nullable Long poll(Context cx) {
      while (handles.size() < tasks) {
        handles.add(Task.spawn(new Yielder(times)));
      }
      while (joined < tasks) {
        Integer value = handles.get(joined).poll(cx);
        if (value == null) {
          return null;
        }
        sum += value;
        joined++;
      }
      return sum;
    }
  }

  /** Puts, and waits for the answer. */
  static final class Ping implements Future<Long> {
    private final BlitzSlot ping = new BlitzSlot();
    private final BlitzSlot pong = new BlitzSlot();
    private final int roundTrips;
    private int done = -1;

    Ping(int roundTrips) {
      this.roundTrips = roundTrips;
    }

    @Override
    public @Nullable Long poll(Context cx) {
      if (done < 0) {
        Task.spawn(new Pong(ping, pong, roundTrips));
        done = 0;
        ping.put();
      }
      while (pong.take(cx)) {
        if (++done == roundTrips) {
          return (long) done;
        }
        ping.put();
      }
      return null;
    }
  }

  /** Waits, and answers. */
  static final class Pong implements Future<Done> {
    private final BlitzSlot ping;
    private final BlitzSlot pong;
    private int left;

    Pong(BlitzSlot ping, BlitzSlot pong, int roundTrips) {
      this.ping = ping;
      this.pong = pong;
      left = roundTrips;
    }

    @Override
    public @Nullable Done poll(Context cx) {
      while (ping.take(cx)) {
        pong.put();
        if (--left == 0) {
          return Done.DONE;
        }
      }
      return null;
    }
  }

  /** Sleeps, counts down when woken, and sleeps again until the runtime closes. */
  record Sleeper(BlitzSlot slot, BlitzCountdown countdown) implements Future<Done> {
    @Override
    public @Nullable Done poll(Context cx) {
      while (slot.take(cx)) {
        countdown.arrive();
      }
      return null;
    }
  }

  /** Wakes all sleepers and waits for the last, again and again. */
  static final class FanOut implements Future<Long> {
    private final BlitzSlot[] slots;
    private final BlitzCountdown countdown;
    private final int rounds;
    private boolean started;
    private int round;

    FanOut(BlitzSlot[] slots, BlitzCountdown countdown, int rounds) {
      this.slots = slots;
      this.countdown = countdown;
      this.rounds = rounds;
    }

    @Override
    public @Nullable Long poll(Context cx) {
      if (!started) {
        started = true;
        wakeAll();
      }
      while (countdown.done.take(cx)) {
        if (++round == rounds) {
          return (long) rounds * slots.length;
        }
        wakeAll();
      }
      return null;
    }

    private void wakeAll() {
      countdown.set(slots.length);
      for (var slot : slots) {
        slot.put();
      }
    }
  }
}
