package dev.blitz.test;

import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Makes a {@link TestRuntime} for each test that asks for one, and closes it afterwards. For JUnit
 * Jupiter 5 and 6.
 */
public final class BlitzTestExtension
    implements ParameterResolver, AfterEachCallback, AfterAllCallback {
  private static final Namespace NAMESPACE = Namespace.create(BlitzTestExtension.class);

  /** For JUnit. */
  public BlitzTestExtension() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == TestRuntime.class;
  }

  @Override
  public TestRuntime resolveParameter(ParameterContext parameter, ExtensionContext test) {
    // Of the store only what each JUnit has: computeIfAbsent is missing in 5, its forerunner is
    // deprecated in 6, and what a store closes by itself differs between the versions.
    var store = test.getStore(NAMESPACE);
    synchronized (BlitzTestExtension.class) { // tests of one class may run at the same time
      TestRuntime made = store.get(TestRuntime.class, TestRuntime.class);
      if (made == null) {
        made = TestRuntime.create();
        store.put(TestRuntime.class, made);
        test.publishReportEntry("blitz.seed", Long.toString(made.seed()));
      }
      return made;
    }
  }

  @Override
  public void afterEach(ExtensionContext test) {
    closeRuntime(test);
  }

  /** Closes what a constructor or a {@code @BeforeAll} method asked for. */
  @Override
  public void afterAll(ExtensionContext tests) {
    closeRuntime(tests);
  }

  /** What it throws fails the test. */
  private static void closeRuntime(ExtensionContext context) {
    TestRuntime made = context.getStore(NAMESPACE).remove(TestRuntime.class, TestRuntime.class);
    if (made != null) {
      made.close();
    }
  }
}
