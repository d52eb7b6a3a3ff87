/**
 * Formats of frames: {@link dev.blitz.io.bytes.codec.Lines}, {@link
 * dev.blitz.io.bytes.codec.Delimited}, {@link dev.blitz.io.bytes.codec.LengthDelimited}, and {@link
 * dev.blitz.io.bytes.codec.Codec} for those of your own. All have a limit: no peer can make a
 * reader keep more than that.
 *
 * <p>Memory consistency: formats are immutable and may be shared. The readers and writers that they
 * make are used by one task at a time, as all of {@link dev.blitz.io.bytes}.
 */
@NullMarked
package dev.blitz.io.bytes.codec;

import org.jspecify.annotations.NullMarked;
