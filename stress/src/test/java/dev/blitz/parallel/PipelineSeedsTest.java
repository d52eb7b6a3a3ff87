package dev.blitz.parallel;

import dev.blitz.testkit.LeakChecked;
import dev.blitz.testkit.Strict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A look at it with each build; {@code ./blitz stress} takes its time. */
@Strict
@LeakChecked(ignoreThreads = "blitz-parallel-\\d+") // the common pool is never closed
class PipelineSeedsTest {

  @Test
  void randomPipelines_yieldWhatStreamsDo() {
    new PipelineSeededStress().run(3, Duration.ofMillis(2000));
  }
}
