/**
 * The stackless core: {@link dev.blitz.io.future.Future}, the {@link dev.blitz.io.future.Context}
 * it is polled with, the {@link dev.blitz.io.future.Waker} that asks for another poll, and the
 * combinators of {@link dev.blitz.io.future.Futures}.
 *
 * <h2>Memory consistency</h2>
 *
 * What a thread does before {@link dev.blitz.io.future.Waker#wake()} happens before the poll that
 * this wake causes. Successive polls and the drop of one future happen one after the other, also
 * when different threads run them.
 */
@NullMarked
package dev.blitz.io.future;

import org.jspecify.annotations.NullMarked;
