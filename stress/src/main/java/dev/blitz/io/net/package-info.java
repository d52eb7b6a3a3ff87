/** Seeded stress of TCP, on every backend that the machine offers. */
@NullMarked
package dev.blitz.io.net;

import org.jspecify.annotations.NullMarked;
