package dev.blitz.io.internal.task;

/** What run queues hold and workers run: a task, or the continuation of a thread that is none. */
public interface QueueItem {

  /** Runs it once, on the worker that owns {@code cx}. */
  void run(PollContext cx);

  /** The runtime has closed: nobody will run it any more. */
  void abandon(PollContext cx);

  /** The runtime is closing: called before each run. */
  void closing();
}
