/** The programs of docs/guide, as they stand there. */
@NullMarked
package dev.blitz.examples.guide;

import org.jspecify.annotations.NullMarked;
