/**
 * Other programs: a {@link dev.blitz.io.process.Command} says what to run, a {@link
 * dev.blitz.io.process.Child} is a program that runs, a {@link dev.blitz.io.process.Pipeline}
 * several that feed each other. {@link dev.blitz.io.process.StandardStreams} are this program's own
 * input and outputs.
 *
 * <h2>Memory consistency</h2>
 *
 * What happens before the start of a child happens before anything it does; what a child has done
 * happens before what follows a wait for its end, as far as both see it at all: by files and pipes.
 */
@NullMarked
package dev.blitz.io.process;

import org.jspecify.annotations.NullMarked;
