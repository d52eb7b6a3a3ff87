/** Stress of the words of readiness. */
@NullMarked
package dev.blitz.io.internal.driver.readiness;

import org.jspecify.annotations.NullMarked;
