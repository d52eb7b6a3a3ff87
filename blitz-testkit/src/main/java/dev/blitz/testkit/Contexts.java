package dev.blitz.testkit;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** What the extensions ask of JUnit's contexts. */
final class Contexts {

  private Contexts() {}

  /** The class or method, with the invocation's display name where there are several. */
  static String name(ExtensionContext context) {
    String type = context.getTestClass().map(Class::getSimpleName).orElse("");
    String display = context.getDisplayName();
    return context
        .getTestMethod()
        .map(Method::getName)
        .map(name -> type + "." + name + (display.startsWith(name) ? "" : " " + display))
        .orElse(type.isEmpty() ? display : type);
  }

  /**
   * The annotation on the test's method, its class or an enclosing class, the nearest first. One
   * that stands there itself goes before one that comes with {@link Strict}.
   */
  static <A extends Annotation> Optional<A> nearest(ExtensionContext context, Class<A> type) {
    for (var at = Optional.of(context); at.isPresent(); at = at.get().getParent()) {
      var element = at.get().getElement();
      var direct = element.map(e -> e.getAnnotation(type));
      if (direct.isPresent()) {
        return direct;
      }
      var found = element.flatMap(e -> AnnotationSupport.findAnnotation(e, type));
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }
}
