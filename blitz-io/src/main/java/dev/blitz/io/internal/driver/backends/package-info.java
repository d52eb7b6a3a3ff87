/** The choice of a backend: the only package that knows all implementations. */
@NullMarked
package dev.blitz.io.internal.driver.backends;

import org.jspecify.annotations.NullMarked;
