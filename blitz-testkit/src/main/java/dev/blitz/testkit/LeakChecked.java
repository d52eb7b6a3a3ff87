package dev.blitz.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fails a test that leaves a thread, a file descriptor or anything a {@link LeakProbe} knows
 * behind.
 *
 * <p>The check spans the whole life of a test: its instance, {@code @BeforeEach} and
 * {@code @AfterEach} methods, temporary directories and {@code @AutoClose} fields. On a class it
 * also spans {@code @BeforeAll} to {@code @AfterAll}. What is about to end gets {@link
 * Timeouts#SHORT} to do so.
 *
 * <ul>
 *   <li>Threads: platform threads only. Virtual threads cannot be listed cheaply; a runtime that
 *       has them offers a {@link LeakProbe}.
 *   <li>Descriptors: where {@code /proc/self/fd} exists; elsewhere they are not checked.
 *   <li>What the JDK, JUnit and class loading open for themselves is ignored: see {@code
 *       ThreadWatch} and {@code DescriptorWatch} for the lists.
 * </ul>
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(LeakCheck.class)
public @interface LeakChecked {

  /**
   * Further threads to ignore.
   *
   * @return regular expressions that match a thread's whole name
   */
  String[] ignoreThreads() default {};

  /**
   * Further descriptors to ignore.
   *
   * @return regular expressions that match a descriptor's whole target, such as {@code /dev/shm/.*}
   */
  String[] ignoreDescriptors() default {};
}
