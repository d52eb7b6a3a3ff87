package dev.blitz.benchmarks.channel;

import java.util.ArrayList;
import java.util.List;

/** Virtual threads that are started and joined. */
final class VirtualCrew {
  private final List<Thread> threads = new ArrayList<>();

  interface Body {
    void run() throws InterruptedException;
  }

  void start(Body body) {
    threads.add(
        Thread.ofVirtual()
            .start(() -> {
              try {
                body.run();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            }));
  }

  void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
