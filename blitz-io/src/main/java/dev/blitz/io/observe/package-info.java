/**
 * What a runtime tells of itself: its counters, its backend, how its close went. Values only; knows
 * nothing else of Blitz.
 */
@NullMarked
package dev.blitz.io.observe;

import org.jspecify.annotations.NullMarked;
