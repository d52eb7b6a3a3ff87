/**
 * Fork paths that lost, kept compiled and correct so that the decision stays reproducible: {@code
 * ForkPathComparison} runs them beside the winner. Numbers and reasons are in {@code
 * docs/adr/0010-fork-path.md}.
 */
@NullMarked
package dev.blitz.parallel.alternatives;

import org.jspecify.annotations.NullMarked;
