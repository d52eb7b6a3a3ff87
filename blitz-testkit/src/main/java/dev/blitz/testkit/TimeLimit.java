package dev.blitz.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Turns a hang into a failure: the limit of each test method and of each method around it.
 *
 * <p>When the limit passes, every thread of the JVM, virtual ones included, is printed with its
 * stack and the test's thread is interrupted; the test fails and the suite goes on. A test that
 * ignores the interrupt for {@link Timeouts#MEDIUM} more ends the JVM with exit code 124, so that
 * no build hangs for ever.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(Watchdog.class)
public @interface TimeLimit {

  /**
   * The limit before {@link Timeouts#scaled scaling}.
   *
   * @return a positive number of {@link #unit units}
   */
  long value() default 60;

  /**
   * The unit of the limit.
   *
   * @return seconds unless told otherwise
   */
  TimeUnit unit() default TimeUnit.SECONDS;
}
