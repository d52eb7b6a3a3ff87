package dev.blitz.io.future;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The result must be used: a future that nobody polls or awaits never runs. Error Prone knows
 * annotations of this name and reports a call whose result is ignored.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.PACKAGE})
public @interface CheckReturnValue {}
