package dev.blitz.stress;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;

import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Main class of the JVM that Lincheck works in: arguments are selection, budget in milliseconds,
 * outcome file.
 */
final class LincheckChild {
  private LincheckChild() {}

  static void main(String[] args) {
    Predicate<String> selected = new Selection(args[0]).predicate();
    long budgetMillis = Long.parseLong(args[1]);
    var listener = new Listener(new OutcomeFile(Path.of(args[2])));
    ClassNameFilter checks =
        name -> FilterResult.includedIf(name.endsWith("LincheckTest") && selected.test(name));
    var request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClasspathRoots(Set.of(Workplace.code())))
            .filters(checks)
            .build();
    var launcher = LauncherFactory.create();
    TestPlan plan = launcher.discover(request);
    long count = Math.max(1, plan.countTestIdentifiers(TestIdentifier::isTest));
    System.setProperty(ModelCheck.SECONDS, Long.toString(budgetMillis / count / 1_000));
    launcher.execute(plan, listener);
  }

  private record Listener(OutcomeFile outcomes) implements TestExecutionListener {
    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
      for (TestIdentifier root : plan.getRoots()) {
        plan.getDescendants(root).stream()
            .filter(TestIdentifier::isTest)
            .forEach(test -> outcomes.declared(name(test)));
      }
    }

    @Override
    public void dynamicTestRegistered(TestIdentifier test) {
      if (test.isTest()) {
        outcomes.declared(name(test));
      }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      switch (result.getStatus()) {
        case SUCCESSFUL -> {
          if (test.isTest()) {
            outcomes.passed(name(test));
            show("ok      ", test);
          }
        }
        // A container fails when its set-up does: its tests then have no result either.
        case FAILED -> {
          String message = result.getThrowable().map(Throwable::toString).orElse("failed");
          outcomes.failed(name(test), message);
          show("FAILED  ", test);
        }
        // No result: the parent counts it as missing.
        case ABORTED -> show("ABORTED ", test);
      }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      show("SKIPPED ", test);
    }

    @SuppressWarnings("SystemOut") // The parent reads standard output.
    private static void show(String outcome, TestIdentifier test) {
      System.out.println(ReportingChild.PROGRESS + outcome + name(test));
    }

    private static String name(TestIdentifier test) {
      return test.getSource()
          .filter(MethodSource.class::isInstance)
          .map(MethodSource.class::cast)
          .map(source -> source.getClassName() + "." + source.getMethodName() + invocation(test))
          .orElseGet(test::getUniqueId);
    }

    /** Tells the invocations of a parameterised test apart. */
    private static String invocation(TestIdentifier test) {
      String last = test.getUniqueIdObject().getLastSegment().getType();
      return last.endsWith("invocation") ? " " + test.getDisplayName() : "";
    }
  }
}
