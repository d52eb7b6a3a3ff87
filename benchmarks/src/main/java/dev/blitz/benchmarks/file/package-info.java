/** Files against the JDK's. */
@NullMarked
package dev.blitz.benchmarks.file;

import org.jspecify.annotations.NullMarked;
