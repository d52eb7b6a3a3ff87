package dev.blitz.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;

/** The extension behind {@link LeakChecked}: opens a {@link LeakScope} as early as it can. */
final class LeakCheck
    implements BeforeAllCallback, BeforeEachCallback, TestInstancePreConstructCallback {

  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    open(context);
  }

  @Override
  public void preConstructTestInstance(
      TestInstanceFactoryContext factoryContext, ExtensionContext context) {
    open(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    open(context);
  }

  private static void open(ExtensionContext context) {
    JdkWarmUp.ensureDone();
    Optional<LeakChecked> settings = Contexts.nearest(context, LeakChecked.class);
    var watches = new ArrayList<LeakWatch>();
    watches.add(new ThreadWatch(compile(settings.map(LeakChecked::ignoreThreads))));
    if (DescriptorWatch.supported()) {
      watches.add(new DescriptorWatch(compile(settings.map(LeakChecked::ignoreDescriptors))));
    }
    LeakScope.open(context, watches);
  }

  private static List<Pattern> compile(Optional<String[]> expressions) {
    return Arrays.stream(expressions.orElse(new String[0])).map(Pattern::compile).toList();
  }
}
