/**
 * Who am I: the place of the calling thread inside a runtime, and what it can ask of the runtime.
 */
@NullMarked
package dev.blitz.io.internal.current;

import org.jspecify.annotations.NullMarked;
