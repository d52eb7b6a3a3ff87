/** Probes of single steps that only this package can take. */
@NullMarked
package dev.blitz.parallel.internal;

import org.jspecify.annotations.NullMarked;
