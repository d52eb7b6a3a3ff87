package dev.blitz.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The usual discipline of a test: {@link LeakChecked}, {@link TimeLimit} and {@link Seeded} in one.
 *
 * <p>Any of the three may stand beside it to change its settings, on the class or on a method.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@LeakChecked
@TimeLimit
@Seeded
public @interface Strict {}
