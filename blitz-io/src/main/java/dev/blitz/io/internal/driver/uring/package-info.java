/** io_uring from pure Java: layouts in {@code UringAbi}, system calls in {@code UringCalls}. */
@NullMarked
package dev.blitz.io.internal.driver.uring;

import org.jspecify.annotations.NullMarked;
