package dev.blitz.io.overflow;

import dev.blitz.testkit.Strict;
import dev.blitz.testkit.TimeLimit;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A recursion without end in the user's code that calls us at each level breaks neither the runtime
 * nor what it uses: no lock stays held, no permit, task, timer or waiter is lost. Once for each
 * operation; {@code ./blitz stress} takes its time.
 */
@Strict
class StackOverflowTest {
  private static final Duration LIMIT = Duration.ofSeconds(280);

  @ParameterizedTest(name = "own carriers {0}, interpreted {1}, workers {2}")
  @TimeLimit(300)
  @CsvSource({"true,true,2", "true,true,1", "true,false,2", "false,false,2"})
  void everyOperation_survivesAnEndOfTheStack(boolean own, boolean interpreted, int workers)
      throws Exception {
    new OverflowJvm(own, interpreted, workers).run(1, 0, LIMIT);
  }
}
