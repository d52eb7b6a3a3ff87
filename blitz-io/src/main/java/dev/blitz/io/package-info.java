/** The runtime: what a program starts, configures, observes and closes. */
@NullMarked
package dev.blitz.io;

import org.jspecify.annotations.NullMarked;
