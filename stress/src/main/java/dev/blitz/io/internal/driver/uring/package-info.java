/** Probes the io_uring driver. */
@NullMarked
package dev.blitz.io.internal.driver.uring;

import org.jspecify.annotations.NullMarked;
