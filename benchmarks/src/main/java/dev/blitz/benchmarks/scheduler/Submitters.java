package dev.blitz.benchmarks.scheduler;

/** Threads outside a runtime that submit to it. */
final class Submitters {
  private Submitters() {}

  /** What each thread does: submits so many tasks that arrive at the countdown. */
  interface Submit {
    void submit(int count, ThreadCountdown last);
  }

  /** Shares the work among the calling thread and others; returns when the last task has run. */
  static long run(int threads, int total, Submit submit) throws InterruptedException {
    var last = new ThreadCountdown(total);
    int share = total / threads;
    var others = new Thread[threads - 1];
    for (int i = 0; i < others.length; i++) {
      others[i] = Thread.ofPlatform().start(() -> submit.submit(share, last));
    }
    submit.submit(share, last);
    for (var other : others) {
      other.join();
    }
    last.await();
    return (long) share * threads;
  }
}
