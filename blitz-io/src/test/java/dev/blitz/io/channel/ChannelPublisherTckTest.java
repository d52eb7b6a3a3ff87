package dev.blitz.io.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.future.Futures;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.Locale;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/** The Reactive Streams TCK, which is written for TestNG, as one JUnit test. */
@Strict
@OnceIsEnough
class ChannelPublisherTckTest {
  /** Shared with {@link Verification}, which TestNG makes. */
  private static final BlitzRuntime[] RUNTIME = new BlitzRuntime[1];

  @Test
  void publisher_passesTheReactiveStreamsTck() {
    var results = new TestListenerAdapter();
    try (var runtime = BlitzRuntime.create()) {
      RUNTIME[0] = runtime;
      var testng = new TestNG(false);
      testng.setVerbose(0);
      testng.setTestClasses(new Class<?>[] {Verification.class});
      testng.addListener(results);
      testng.run();
    }
    assertThat(results.getFailedTests()).extracting(ChannelPublisherTckTest::describe).isEmpty();
    assertThat(results.getConfigurationFailures()).isEmpty();
    assertThat(results.getSkippedTests())
        .as("only what the TCK calls untested or optional, and publishers that fail")
        .extracting(ITestResult::getName)
        .allMatch(name ->
            name.startsWith("untested_")
                || name.startsWith("optional_")
                || name.toLowerCase(Locale.ROOT).contains("error"));
    assertThat(results.getPassedTests()).hasSizeGreaterThanOrEqualTo(20);
  }

  private static String describe(ITestResult result) {
    return result.getName() + ": " + result.getThrowable();
  }

  /** A channel with messages; a large number of them is sent as they are received. */
  public static final class Verification extends FlowPublisherVerification<Integer> {
    private static final int PREPARED = 1_000;
    private static final long TIMEOUT_MILLIS = 300;
    private static final long SILENCE_MILLIS = 30;

    /** For TestNG. */
    public Verification() {
      super(new TestEnvironment(TIMEOUT_MILLIS, SILENCE_MILLIS));
    }

    @Override
    public Flow.Publisher<Integer> createFlowPublisher(long elements) {
      BlitzRuntime runtime = RUNTIME[0];
      if (elements > PREPARED) {
        Channel<Integer> endless = Channel.bounded(16);
        runtime.spawn(Futures.loop(() -> endless.send(1).map(done -> Futures.Step.MORE)));
        return endless.publisher(runtime.executor());
      }
      Channel<Integer> channel = Channel.unbounded();
      for (int i = 0; i < elements; i++) {
        channel.trySend(i);
      }
      channel.close();
      return channel.publisher(runtime.executor());
    }

    /** A channel cannot fail. */
    @Override
    public Flow.@Nullable Publisher<Integer> createFailedFlowPublisher() {
      return null;
    }
  }
}
