/**
 * Descriptors of the system that somebody else has made: pipes, FIFOs, terminals, processes,
 * inherited sockets. They can be waited for, read and written without keeping a thread.
 *
 * <p>Thread safety: as with every stream, one task may read while another writes, and anybody may
 * close.
 *
 * <p>Memory consistency: what a task did before it wrote bytes does not happen before their being
 * read, unless both ends are in this process and agree on it by other means.
 */
@NullMarked
package dev.blitz.io.descriptor;

import org.jspecify.annotations.NullMarked;
