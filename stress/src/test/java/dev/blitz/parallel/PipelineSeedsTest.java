package dev.blitz.parallel;

import dev.blitz.testkit.Strict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A look at it with each build; {@code ./blitz stress} takes its time. */
@Strict
class PipelineSeedsTest {

  @Test
  void randomPipelines_yieldWhatStreamsDo() {
    new PipelineSeededStress().run(1, Duration.ofMillis(2000));
  }
}
