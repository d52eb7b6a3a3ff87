/** Host names: one question at a time for each, answers that are kept for a while. */
@NullMarked
package dev.blitz.io.internal.names;

import org.jspecify.annotations.NullMarked;
