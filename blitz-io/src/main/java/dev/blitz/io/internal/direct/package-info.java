/**
 * Direct style: tasks that are lambdas on virtual threads, carried by our workers or by the JDK.
 */
@NullMarked
package dev.blitz.io.internal.direct;

import org.jspecify.annotations.NullMarked;
