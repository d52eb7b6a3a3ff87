package dev.blitz.testkit;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/** The extension behind {@link Seeded}. */
final class Seeds
    implements ParameterResolver,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler {

  private static final Namespace NAMESPACE = Namespace.create(Seeds.class);

  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestSeed.class;
  }

  @Override
  public TestSeed resolveParameter(ParameterContext parameter, ExtensionContext context) {
    TestSeed seed =
        context
            .getStore(NAMESPACE)
            .computeIfAbsent(TestSeed.class, key -> choose(context), TestSeed.class);
    LeakScope.of(context).ifPresent(scope -> scope.note(seed.toString()));
    return seed;
  }

  private static TestSeed choose(ExtensionContext context) {
    return context
        .getConfigurationParameter(TestSeed.PROPERTY)
        .map(TestSeed::parse)
        .orElseGet(() -> new TestSeed(ThreadLocalRandom.current().nextLong()));
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    rethrow(context, failure);
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    rethrow(context, failure);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    rethrow(context, failure);
  }

  @Override
  public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    rethrow(context, failure);
  }

  @Override
  public void handleAfterAllMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    rethrow(context, failure);
  }

  private static void rethrow(ExtensionContext context, Throwable failure) throws Throwable {
    @Nullable TestSeed seed = context.getStore(NAMESPACE).get(TestSeed.class, TestSeed.class);
    if (seed == null || failure instanceof TestAbortedException) {
      throw failure;
    }
    var note = new SeedNote(seed);
    failure.addSuppressed(note);
    if (Arrays.asList(failure.getSuppressed()).contains(note)) {
      throw failure;
    }
    // The failure was built without room for suppressed exceptions.
    throw new AssertionError(failure + " (" + seed + ")", failure);
  }

  /** Carries the seed into a failure's stack trace without hiding the failure's own type. */
  static final class SeedNote extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SeedNote(TestSeed seed) {
      super(seed.toString(), null, false, false);
    }
  }
}
