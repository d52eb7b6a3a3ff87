/** The tour that {@code ./blitz demo} runs. */
@NullMarked
package dev.blitz.examples.demo;

import org.jspecify.annotations.NullMarked;
