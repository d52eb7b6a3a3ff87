package dev.blitz.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Lets a test take a {@link TestSeed} as a parameter.
 *
 * <p>Each test gets its own random seed, or the value of {@code -Dblitz.seed} where that is set;
 * methods around a test see the seed of the test, and a seed taken by a class's constructor or
 * {@code @BeforeAll} method is that of all its tests. The failure of a test that took a seed says
 * which one, and how to replay it.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(Seeds.class)
public @interface Seeded {}
