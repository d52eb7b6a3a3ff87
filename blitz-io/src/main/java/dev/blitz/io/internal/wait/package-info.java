/**
 * Waiting and waking: who waits, in which order, and calls into foreign code that must not fail
 * their caller.
 */
@NullMarked
package dev.blitz.io.internal.wait;

import org.jspecify.annotations.NullMarked;
