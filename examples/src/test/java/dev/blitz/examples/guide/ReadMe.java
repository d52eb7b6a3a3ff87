package dev.blitz.examples.guide;

import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.Task;
import java.time.Duration;

/** The second program of README.md. */
class ReadMe {
  Future<String> fetch(String what, int millis) {
    return Task.sleep(Duration.ofMillis(millis)).map(done -> what);
  }

  Future<String> page =
      Futures.join(fetch("user", 30), fetch("posts", 20))
          .map(both -> both.first() + " and " + both.second())
          .timeout(Duration.ofSeconds(1));
}
