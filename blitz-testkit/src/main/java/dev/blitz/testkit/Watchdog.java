package dev.blitz.testkit;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * The extension behind {@link TimeLimit}: sets an {@link Alarm} around everything the test class
 * does.
 */
final class Watchdog implements InvocationInterceptor {

  /** Exit code of a JVM that had to be halted; the one {@code timeout(1)} uses. */
  static final int HALT_STATUS = 124;

  static final String THREAD_NAME = "blitz-watchdog";

  @Override
  public <T> T interceptTestClassConstructor(
      Invocation<T> invocation,
      ReflectiveInvocationContext<Constructor<T>> target,
      ExtensionContext context)
      throws Throwable {
    return watched(invocation, "constructor of " + target.getTargetClass().getName(), context);
  }

  @Override
  public void interceptBeforeAllMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> target,
      ExtensionContext context)
      throws Throwable {
    watched(invocation, name(target), context);
  }

  @Override
  public void interceptBeforeEachMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> target,
      ExtensionContext context)
      throws Throwable {
    watched(invocation, name(target), context);
  }

  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> target,
      ExtensionContext context)
      throws Throwable {
    watched(invocation, name(target), context);
  }

  @Override
  public <T extends @Nullable Object> T interceptTestFactoryMethod(
      Invocation<T> invocation,
      ReflectiveInvocationContext<Method> target,
      ExtensionContext context)
      throws Throwable {
    return watched(invocation, name(target), context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> target,
      ExtensionContext context)
      throws Throwable {
    watched(invocation, name(target) + " " + context.getDisplayName(), context);
  }

  @Override
  public void interceptDynamicTest(
      Invocation<@Nullable Void> invocation,
      DynamicTestInvocationContext target,
      ExtensionContext context)
      throws Throwable {
    watched(invocation, "dynamic test " + context.getDisplayName(), context);
  }

  @Override
  public void interceptAfterEachMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> target,
      ExtensionContext context)
      throws Throwable {
    watched(invocation, name(target), context);
  }

  @Override
  public void interceptAfterAllMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> target,
      ExtensionContext context)
      throws Throwable {
    watched(invocation, name(target), context);
  }

  private static <T extends @Nullable Object> T watched(
      Invocation<T> invocation, String what, ExtensionContext context) throws Throwable {
    Alarm alarm = Alarm.arm(what, limit(context));
    T result;
    try {
      result = invocation.proceed();
    } catch (Throwable failure) {
      var hang = alarm.disarm();
      if (hang.isPresent()) {
        hang.get().addSuppressed(failure);
        throw hang.get();
      }
      throw failure;
    }
    var hang = alarm.disarm();
    if (hang.isPresent()) {
      throw hang.get();
    }
    return result;
  }

  private static String name(ReflectiveInvocationContext<Method> target) {
    return target.getTargetClass().getName() + "." + target.getExecutable().getName();
  }

  private static Duration limit(ExtensionContext context) {
    TimeLimit limit = Contexts.nearest(context, TimeLimit.class).orElseThrow();
    if (limit.value() <= 0) {
      throw new IllegalArgumentException("@TimeLimit must be positive: " + limit.value());
    }
    return Timeouts.scaled(Duration.of(limit.value(), limit.unit().toChronoUnit()));
  }
}
