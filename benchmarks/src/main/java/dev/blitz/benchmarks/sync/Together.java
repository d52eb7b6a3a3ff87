package dev.blitz.benchmarks.sync;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Future;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Spawns tasks and joins them in order. */
final class Together implements Future<Done> {
  private final int count;
  private final IntFunction<Future<Done>> body;
  private final List<JoinHandle<Done>> handles = new ArrayList<>();
  private int joined;

  Together(int count, IntFunction<Future<Done>> body) {
    this.count = count;
    this.body = body;
  }

  @Override
  public @Nullable Done poll(Context cx) {
    while (handles.size() < count) {
      handles.add(Task.spawn(body.apply(handles.size())));
    }
    for (; joined < count; joined++) {
      if (handles.get(joined).poll(cx) == null) {
        return null;
      }
    }
    return Done.DONE;
  }
}
