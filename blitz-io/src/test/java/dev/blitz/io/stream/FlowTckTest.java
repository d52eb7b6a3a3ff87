package dev.blitz.io.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import java.util.Locale;
import java.util.concurrent.Flow;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;

/** The Reactive Streams TCK, which is written for TestNG, on both bridges. */
@Strict
@OnceIsEnough
class FlowTckTest {
  private static final long TIMEOUT_MILLIS = 300;
  private static final long SILENCE_MILLIS = 30;

  /** Shared with the verifications, which TestNG makes. */
  private static final BlitzRuntime[] RUNTIME = new BlitzRuntime[1];

  private static TestListenerAdapter verify(Class<?> verification) {
    var results = new TestListenerAdapter();
    try (var runtime = BlitzRuntime.create()) {
      RUNTIME[0] = runtime;
      var testng = new TestNG(false);
      testng.setVerbose(0);
      testng.setTestClasses(new Class<?>[] {verification});
      testng.addListener(results);
      testng.run();
    }
    assertThat(results.getFailedTests())
        .extracting(r -> r.getName() + ": " + r.getThrowable())
        .isEmpty();
    assertThat(results.getConfigurationFailures()).isEmpty();
    return results;
  }

  @Test
  void aPublisherOfASource_passesTheTck() {
    var results = verify(OfSource.class);
    assertThat(results.getSkippedTests())
        .as("what the TCK calls untested or optional")
        .extracting(ITestResult::getName)
        .allMatch(name -> name.startsWith("untested_") || name.startsWith("optional_"));
    assertThat(results.getPassedTests()).hasSizeGreaterThanOrEqualTo(22);
  }

  @Test
  void theSubscriberOfASource_passesTheTck() {
    var results = verify(IntoSource.class);
    assertThat(results.getSkippedTests())
        .extracting(ITestResult::getName)
        .allMatch(name ->
            name.startsWith("untested_") || name.toLowerCase(Locale.ROOT).contains("optional"));
    assertThat(results.getPassedTests()).hasSizeGreaterThanOrEqualTo(10);
  }

  /** Sources as publishers. */
  public static final class OfSource extends FlowPublisherVerification<Integer> {
    /** For TestNG. */
    public OfSource() {
      super(new TestEnvironment(TIMEOUT_MILLIS, SILENCE_MILLIS));
    }

    @Override
    public Flow.Publisher<Integer> createFlowPublisher(long elements) {
      return Source.from(() -> IntStream.iterate(0, i -> i + 1).iterator())
          .take(elements)
          .publisher(RUNTIME[0].executor());
    }

    @Override
    public Flow.Publisher<Integer> createFailedFlowPublisher() {
      var publisher =
          Source.<Integer>failed(new Exception("broken")).publisher(RUNTIME[0].executor());
      publisher.subscribe(new Taker()); // a source has one subscriber: all others are refused
      return publisher;
    }
  }

  private static final class Taker implements Flow.Subscriber<Integer> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {}

    @Override
    public void onNext(Integer item) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onComplete() {}
  }

  /** The subscriber behind a source. */
  public static final class IntoSource extends FlowSubscriberBlackboxVerification<Integer> {
    /** For TestNG. */
    public IntoSource() {
      super(new TestEnvironment(TIMEOUT_MILLIS, SILENCE_MILLIS));
    }

    @Override
    public Flow.Subscriber<Integer> createFlowSubscriber() {
      return new Inbox<>(8);
    }

    @Override
    public Integer createElement(int element) {
      return element;
    }
  }
}
