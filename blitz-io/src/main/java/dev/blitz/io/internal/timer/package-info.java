/**
 * Timers as a data structure: the hierarchical wheel, its intrusive entries and the conversion
 * between nanoseconds and ticks.
 *
 * <p>The wheel knows neither tasks nor threads. Whoever uses it brings the time ({@link
 * dev.blitz.io.internal.timer.TickClock}), advances it, and sleeps no longer than {@link
 * dev.blitz.io.internal.timer.HierarchicalTimerWheel#nextTick()}.
 *
 * <p><b>Memory consistency.</b> One lock guards the wheel and the links of its entries. What a
 * thread did before it scheduled an entry happens before that entry's {@code fire()}. Two fields
 * are read without the lock: an entry's state and the wheel's next tick; {@code
 * docs/design/timer.md} lists their access modes and what they pair with.
 */
@NullMarked
package dev.blitz.io.internal.timer;

import org.jspecify.annotations.NullMarked;
