/**
 * Signals of the operating system as events: {@link dev.blitz.io.signal.Signals} makes a {@link
 * dev.blitz.io.signal.SignalListener}, whose events tasks and threads wait for.
 *
 * <h2>Memory consistency</h2>
 *
 * What the thread that delivers a signal has seen happens before what follows a wait for the event;
 * that thread is one of the JVM's own, so it has seen nothing in particular. What happens before
 * the close of a listener happens before the {@link dev.blitz.io.future.CancelledException} of
 * those who wait for it.
 */
@NullMarked
package dev.blitz.io.signal;

import org.jspecify.annotations.NullMarked;
