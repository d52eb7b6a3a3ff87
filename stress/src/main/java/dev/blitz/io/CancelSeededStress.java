package dev.blitz.io;

import dev.blitz.io.task.JoinHandle;
import dev.blitz.stress.Crew;
import dev.blitz.stress.Patience;
import dev.blitz.stress.Rounds;
import dev.blitz.stress.SeededStress;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Tasks are cancelled in every state, shielded ones too, from outside and by other tasks: all end,
 * each once, and of all who cancel a task one at most is told that it was the one.
 */
public final class CancelSeededStress implements SeededStress {
  private static final int MAX_TASKS = 300;

  @Override
  public void run(long seed, Duration budget) {
    Rounds.run(seed, budget, CancelSeededStress::round);
  }

  private static void round(SplittableRandom random) throws Exception {
    var handler = new Expected.Handler();
    BlitzRuntime rt = RuntimeProbe.builder(random, 8).uncaughtHandler(handler).build();
    var mix = new TaskMix(rt);
    int before = random.nextInt(MAX_TASKS);
    for (int i = 0; i < before; i++) {
      mix.spawn(random);
    }
    List<JoinHandle<?>> known = mix.all();
    var asked = new AtomicIntegerArray(known.size());
    var crew = new Crew(random);
    crew.start(own -> {
      for (int i = own.nextInt(MAX_TASKS); i > 0; i--) {
        mix.spawn(own);
      }
    });
    for (int i = 0; i < 2; i++) {
      crew.start(own -> cancelSome(known, asked, own));
    }
    crew.start(own -> {
      Patience.delay(own);
      mix.early.wakeAll();
      Patience.delay(own);
      mix.early.open();
    });
    crew.join();
    mix.late.open();
    // Children may be added while their parents run: cancel until no new one has come.
    for (int seen = -1; seen != mix.handles.size(); ) {
      seen = mix.handles.size();
      mix.handles.forEach(JoinHandle::cancel);
      RuntimeProbe.awaitAll(rt, mix.all());
    }
    RuntimeProbe.awaitQuiet(rt);
    mix.checkEndedOnce();
    RuntimeProbe.closeClean(rt);
    mix.failures.forEach(Expected::checkReportedOnce);
    handler.checkNothingElse();
  }

  private static void cancelSome(
      List<JoinHandle<?>> handles, AtomicIntegerArray asked, SplittableRandom random) {
    for (int i = 0; i < handles.size(); i++) {
      int at = random.nextInt(handles.size());
      if (handles.get(at).cancel() && asked.incrementAndGet(at) > 1) {
        throw new AssertionError("two were told that they cancelled " + handles.get(at));
      }
      Patience.delay(random);
    }
  }
}
