/**
 * What tasks coordinate with: {@link dev.blitz.io.sync.Mutex}, {@link dev.blitz.io.sync.RwLock},
 * {@link dev.blitz.io.sync.Semaphore}, {@link dev.blitz.io.sync.Barrier}, {@link
 * dev.blitz.io.sync.Notify} and {@link dev.blitz.io.sync.OnceCell}.
 *
 * <p>Everything here is thread safe, belongs to no runtime and may be used from any task, thread or
 * virtual thread. Methods named {@code try...} never wait. The others return futures, which hold
 * nothing before their first poll, wait first come first served, and may be dropped at any moment:
 * a place in the queue is given up, and a permit, turn or notification that had been granted
 * meanwhile goes to the next one. Waiting costs the future and nothing else.
 *
 * <h2>Memory consistency</h2>
 *
 * What is done before giving something (unlock, release, notify, arriving at a barrier, setting a
 * cell) happens before what follows the call or future that received it, also when it was handed
 * over by way of a dropped future.
 */
@NullMarked
package dev.blitz.io.sync;

import org.jspecify.annotations.NullMarked;
