/**
 * The groups {@code data} and {@code sort}: pipelines and sorts against streams, the JDK and Rayon.
 */
@NullMarked
package dev.blitz.benchmarks.data;

import org.jspecify.annotations.NullMarked;
