package dev.blitz.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that says the same with and without {@code --add-opens}: one that starts a JVM of its own,
 * is about a structure alone, or about one of several backends that see the same of a direct task.
 * The second run of the tests, on the JDK's carriers, leaves it out.
 */
@Tag("once-is-enough")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface OnceIsEnough {}
