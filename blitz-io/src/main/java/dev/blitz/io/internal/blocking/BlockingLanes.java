package dev.blitz.io.internal.blocking;

import dev.blitz.io.internal.base.Machine;
import dev.blitz.io.internal.current.Home;
import dev.blitz.io.internal.wait.SafeCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The blocking threads of a runtime: a pool for each lane. Thread safe. */
public final class BlockingLanes {
  private final Map<BlockingLane, BlockingPool> pools = new EnumMap<>(BlockingLane.class);

  /** The same in the order in which they are closed, for which there may be no memory. */
  private final BlockingPool[] inOrder;

  /** Starts no thread yet. {@code userThreads}: most threads for the calls of users. */
  public BlockingLanes(
      Home home, String threadPrefix, int userThreads, Duration keepAlive, Machine machine) {
    var lanes = BlockingLane.values();
    for (int i = lanes.length - 1; i >= 0; i--) { // the users' at last: it uses that of cancels
      BlockingLane lane = lanes[i];
      int cap = lane.threads(userThreads, Runtime.getRuntime().availableProcessors());
      BlockingPool cancels = lane == BlockingLane.USER ? of(BlockingLane.CANCELS) : null;
      String prefix = threadPrefix + lane.role() + "-";
      pools.put(lane, new BlockingPool(home, prefix, cap, keepAlive, machine, cancels));
    }
    inOrder = pools.values().toArray(BlockingPool[]::new);
  }

  /** The pool of a lane. */
  public BlockingPool of(BlockingLane lane) {
    BlockingPool pool = pools.get(lane);
    if (pool == null) {
      throw new IllegalArgumentException("no lane " + lane);
    }
    return pool;
  }

  /**
   * Closes them one after the other, the users' first: what its calls wait for goes on meanwhile.
   * What the close of one throws, for want of memory, is thrown after the last one.
   *
   * @return the threads that did not end by the deadline
   */
  public List<Thread> close(LongSupplier deadlineNanos) {
    @Nullable List<Thread> alive = null;
    @Nullable Throwable first = null;
    for (int i = 0; i < inOrder.length; i++) {
      try {
        List<Thread> left = inOrder[i].close(deadlineNanos);
        if (alive == null) {
          alive = left;
        } else {
          alive.addAll(left);
        }
      } catch (RuntimeException | Error e) {
        first = first == null ? e : first;
      }
    }
    SafeCalls.rethrow(first);
    return Objects.requireNonNull(alive);
  }

  /** The calls that run now, each with the place where it is. */
  public List<String> describeRunning() {
    List<String> lines = new ArrayList<>();
    pools.values().forEach(p -> lines.addAll(p.describeRunning()));
    return lines;
  }

  /** The same, by call. */
  public Map<Object, String> describeEachRunning() {
    Map<Object, String> lines = new LinkedHashMap<>();
    pools.values().forEach(p -> lines.putAll(p.describeEachRunning()));
    return lines;
  }

  /**
   * Calls that run or wait for a thread, in all lanes; exact, as {@link BlockingPool#busyCount}.
   */
  public int busyCount() {
    int sum = 0;
    for (BlockingPool pool : pools.values()) {
      sum += pool.busyCount();
    }
    return sum;
  }
}
