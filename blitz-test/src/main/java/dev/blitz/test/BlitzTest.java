package dev.blitz.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A JUnit test that is given a {@link TestRuntime}: paused clock, seeded scheduler, and a check at
 * the end that nothing was left running and no failure went unseen.
 *
 * {@snippet :
 * @BlitzTest
 * void napsForFiveMinutes(TestRuntime rt) {
 *   JoinHandle<Done> nap = rt.spawn(Task.sleep(Duration.ofMinutes(5)));
 *   rt.advance(Duration.ofMinutes(5));
 *   assertThat(nap.isDone()).isTrue();
 * }
 * }
 */
@Test
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BlitzTestExtension.class)
public @interface BlitzTest {}
