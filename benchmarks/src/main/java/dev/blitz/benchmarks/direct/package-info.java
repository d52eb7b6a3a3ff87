/** Direct tasks against the JDK's virtual threads: the same lambdas, two schedulers. */
@NullMarked
package dev.blitz.benchmarks.direct;

import org.jspecify.annotations.NullMarked;
