package dev.blitz.test;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Makes a {@link TestRuntime} for each test that asks for one, and closes it afterwards. */
public final class BlitzTestExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(BlitzTestExtension.class);

  /** For JUnit. */
  public BlitzTestExtension() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == TestRuntime.class;
  }

  @Override
  public TestRuntime resolveParameter(ParameterContext parameter, ExtensionContext test) {
    // JUnit closes what is in the store, in the test's own context: a failing close fails the test.
    return test.getStore(NAMESPACE)
        .computeIfAbsent(
            TestRuntime.class,
            key -> {
              TestRuntime made = TestRuntime.create();
              test.publishReportEntry("blitz.seed", Long.toString(made.seed()));
              return made;
            },
            TestRuntime.class);
  }
}
