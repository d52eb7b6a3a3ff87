/**
 * Runs every jcstress, Lincheck and seeded check within a time budget and counts that none was left
 * out.
 */
@NullMarked
package dev.blitz.stress;

import org.jspecify.annotations.NullMarked;
