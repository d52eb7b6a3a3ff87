/** Single-file programs that show Blitz at work. */
@NullMarked
package dev.blitz.examples;

import org.jspecify.annotations.NullMarked;
