/** Stress of the words that workers park on. */
@NullMarked
package dev.blitz.io.internal.driver;

import org.jspecify.annotations.NullMarked;
