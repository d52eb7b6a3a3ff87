/**
 * TCP. Every operation is a future that holds no memory of yours in the kernel: dropping it is
 * instant, and bytes or connections that arrive meanwhile are there for the next operation.
 *
 * <p>Thread safety: a stream may be read by one task and written by another at the same time, and
 * closed by anybody. Of reads and of writes one at a time may be pending; a second one fails with
 * {@link java.lang.IllegalStateException}, because two readers of one stream would get bytes in no
 * order that either could rely on. Accepts queue up.
 *
 * <p>Memory consistency: what a task did before it wrote bytes does not happen before their being
 * read, unless both ends are in this process and agree on it by other means.
 */
@NullMarked
package dev.blitz.io.net;

import org.jspecify.annotations.NullMarked;
