package dev.blitz.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A long test that says the same with and without {@code --add-opens}, for instance since it starts
 * a JVM of its own: the second run of the tests, on the JDK's carriers, leaves it out.
 */
@Tag("once-is-enough")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface OnceIsEnough {}
