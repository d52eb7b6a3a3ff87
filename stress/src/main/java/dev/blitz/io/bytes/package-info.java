/** Stress of readers and writers of bytes. */
@NullMarked
package dev.blitz.io.bytes;

import org.jspecify.annotations.NullMarked;
