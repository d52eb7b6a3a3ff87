package dev.blitz.io;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Waker;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Crew;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Storms of pairs that wake each other in turn, on 1 to 8 workers, some played from outside. */
public final class PingPongSeededStress implements SeededStress {
  private static final int MAX_PAIRS = 24;
  private static final int MAX_TURNS = 600;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, PingPongSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    BlitzRuntime rt = RuntimeProbe.builder(random, 8).build();
    List<JoinHandle<Integer>> players = new ArrayList<>();
    var crew = new Crew(random);
    int sum = 0;
    for (int pair = random.nextInt(1, MAX_PAIRS + 1); pair > 0; pair--) {
      int turns = random.nextInt(1, MAX_TURNS);
      var table = new Table(turns);
      players.add(rt.spawn(table.player(0)));
      sum += turns;
      if (random.nextInt(4) == 0) {
        crew.start(own -> table.player(1).await());
      } else {
        players.add(rt.spawn(table.player(1)));
        sum += turns;
      }
    }
    crew.join();
    RuntimeProbe.awaitAll(rt, players);
    for (JoinHandle<Integer> player : players) {
      sum -= player.await();
    }
    if (sum != 0) {
      throw new AssertionError("turns lost or doubled: " + sum);
    }
    RuntimeProbe.awaitQuiet(rt);
    RuntimeProbe.closeClean(rt);
  }

  /** Whose turn it is, and who waits for it. A player stores its waker, then looks whose turn. */
  private static final class Table {
    private final int turns;
    private final AtomicReferenceArray<@Nullable Waker> waiting = new AtomicReferenceArray<>(2);
    private volatile int turn;

    Table(int turns) {
      this.turns = turns;
    }

    Future<Integer> player(int side) {
      return new Player(side);
    }

    private final class Player implements Future<Integer> {
      private final int side;
      private int played;

      Player(int side) {
        this.side = side;
      }

      @Override
      public @Nullable Integer poll(Context cx) {
        waiting.set(side, cx.waker());
        while (turn == side) {
          played++;
          int other = 1 - side;
          turn = other;
          Waker w = waiting.get(other);
          if (w != null) {
            w.wake();
          }
          if (played == turns) {
            return played;
          }
        }
        return null;
      }

      @Override
      public String toString() {
        return "turn " + played + " of side " + side;
      }
    }
  }
}
