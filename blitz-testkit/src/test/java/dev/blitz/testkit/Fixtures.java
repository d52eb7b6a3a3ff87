package dev.blitz.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventType.FINISHED;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Runs classes of tests inside a test. */
final class Fixtures {

  /* Most fixtures leak on purpose; those that only tarry do so for much less. */
  private static final Duration LEAK_GRACE = Timeouts.scaled(Duration.ofMillis(400));

  private Fixtures() {}

  static EngineExecutionResults run(Class<?> fixture) {
    return run(fixture, Map.of());
  }

  static EngineExecutionResults run(Class<?> fixture, Map<String, String> parameters) {
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(fixture))
        .configurationParameter(LeakScope.GRACE_PROPERTY, LEAK_GRACE.toString())
        .configurationParameters(parameters)
        .execute();
  }

  /** What made tests and containers fail, in the order in which they ended. */
  static List<Throwable> failures(EngineExecutionResults results) {
    return results
        .allEvents()
        .filter(event -> event.getType() == FINISHED)
        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
        .flatMap(result -> result.getThrowable().stream())
        .toList();
  }

  /** The failure of a fixture that is to fail exactly once. */
  static Throwable onlyFailure(Class<?> fixture) {
    List<Throwable> failures = failures(run(fixture));
    if (failures.size() != 1) {
      throw new AssertionError("expected one failure, got " + failures);
    }
    return failures.getFirst();
  }
}
