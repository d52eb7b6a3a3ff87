/**
 * What everything else stands on and what knows nothing of it: room on the stack, locks that pin,
 * intrusive lists, the JDK's carriers, the text of failures.
 */
@NullMarked
package dev.blitz.io.internal.base;

import org.jspecify.annotations.NullMarked;
