/**
 * Tests of code on Blitz in no time: {@link dev.blitz.test.TestRuntime} has a {@link
 * dev.blitz.test.PausedClock}, one worker and a seed; {@link dev.blitz.test.BlitzTest} gives one to
 * a JUnit test.
 */
@NullMarked
package dev.blitz.test;

import org.jspecify.annotations.NullMarked;
