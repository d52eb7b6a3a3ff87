package dev.blitz.io.future;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.channel.Oneshot;
import dev.blitz.io.internal.wait.Branches;
import dev.blitz.io.sync.Notify;
import dev.blitz.io.sync.Semaphore;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.stress.Crew;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Joins and races over up to thousands of branches, nested in each other, whose values come from
 * several threads while they are polled for the first time: all end, and a wide join polls each
 * branch a few times.
 */
public final class WideJoinSeededStress implements SeededStress {
  private static final int MOST = 3_000;

  /** Joins of joins reach so far without a waker for each branch. */
  private static final int NARROW_TREE = Branches.MOST_WITHOUT * Branches.MOST_WITHOUT;

  /** First poll, one for the value, and some for want of budget or for the neighbour's wake. */
  private static final int POLLS_PER_BRANCH = 8;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, WideJoinSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    oneOfMany(random);
    allOfMany(random);
  }

  /** One value among more waiting branches than a poll has budget for: it is found. */
  private static void oneOfMany(SplittableRandom random) throws Exception {
    int width = random.nextInt(17, NARROW_TREE + 1);
    List<Oneshot<Integer>> shots = new ArrayList<>();
    List<Future<Integer>> branches = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      Oneshot<Integer> shot = Oneshot.create();
      shots.add(shot);
      branches.add(shot.receive());
    }
    Future<Integer> whole =
        random.nextBoolean() ? tree(branches, Futures::race) : Futures.race(branches);
    int one = random.nextBoolean() ? width - 1 : random.nextInt(width);
    try (var rt = BlitzRuntime.builder().workers(random.nextInt(1, 3)).build()) {
      JoinHandle<Integer> first = random.nextBoolean() ? rt.spawn(whole) : rt.spawn(whole::await);
      Patience.delay(random);
      shots.get(one).send(one);
      Patience.until(first::isDone, () -> "branch " + one + " of " + width + ": " + rt.stats());
      if (first.await() != one) {
        throw new AssertionError("branch " + first.await() + " instead of " + one);
      }
    }
  }

  private static void allOfMany(SplittableRandom random) throws Exception {
    int width = random.nextBoolean() ? random.nextInt(17, 300) : random.nextInt(17, MOST);
    List<Oneshot<Integer>> shots = new ArrayList<>();
    var polls = new AtomicInteger();
    var semaphore = Semaphore.create(0, MOST);
    var notify = Notify.create();
    List<Future<Integer>> branches = new ArrayList<>();
    try (var rt = BlitzRuntime.builder().workers(random.nextInt(1, 5)).build()) {
      for (int i = 0; i < width; i++) {
        Future<Integer> branch =
            switch (random.nextInt(6)) {
              case 0 -> Task.sleep(Duration.ofMillis(random.nextInt(3))).map(d -> 1);
              case 1 -> semaphore.acquire().map(permit -> 1);
              case 2 -> Futures.race(notified(notify, random), Task.yieldNow()).map(d -> 1);
              default -> {
                Oneshot<Integer> shot = Oneshot.create();
                shots.add(shot);
                yield shot.receive();
              }
            };
        branches.add(new CountedFuture<>(branch, polls));
      }
      boolean narrow = width <= NARROW_TREE && random.nextBoolean();
      Future<Integer> whole =
          narrow
              ? tree(branches, WideJoinSeededStress::sum)
              : random.nextBoolean()
                  ? sum(branches)
                  : sum(List.of(sum(branches), Futures.ready(0)));
      JoinHandle<Integer> all = random.nextBoolean() ? rt.spawn(whole) : rt.spawn(whole::await);
      var crew = new Crew(random);
      for (int t = 0; t < 2; t++) {
        int first = t;
        crew.start(own -> {
          for (int i = first; i < shots.size(); i += 2) {
            shots.get(i).send(1);
            if (own.nextInt(8) == 0) {
              Patience.delay(own);
            }
          }
        });
      }
      crew.start(own -> {
        for (int left = width; left > 0; ) {
          int some = own.nextInt(1, left + 1);
          semaphore.release(some);
          left -= some;
          Patience.delay(own);
        }
      });
      crew.join();
      Patience.until(all::isDone, () -> rt.dump().toString());
      if (all.await() != width) {
        throw new AssertionError("the sum of " + width + " branches is " + all.await());
      }
      if (!narrow && polls.get() > POLLS_PER_BRANCH * width + 1_000) {
        throw new AssertionError(polls + " polls of " + width + " branches");
      }
    }
  }

  /** A branch that loses all its races: wakers that come too late, and drops. */
  private static Future<Done> notified(Notify notify, SplittableRandom random) {
    return Futures.race(
        java.util.stream.IntStream.range(0, random.nextInt(1, 40))
            .mapToObj(i -> notify.notified())
            .toList());
  }

  /** Combined so narrowly that all are polled at every wake: together more than a budget. */
  private static Future<Integer> tree(
      List<Future<Integer>> futures, Function<List<Future<Integer>>, Future<Integer>> combine) {
    List<Future<Integer>> few = new ArrayList<>();
    for (int i = 0; i < futures.size(); i += Branches.MOST_WITHOUT) {
      int end = Math.min(futures.size(), i + Branches.MOST_WITHOUT);
      few.add(combine.apply(futures.subList(i, end)));
    }
    return combine.apply(few);
  }

  private static Future<Integer> sum(List<Future<Integer>> futures) {
    return Futures.joinAll(futures).map(ones -> ones.stream().mapToInt(i -> i).sum());
  }
}
