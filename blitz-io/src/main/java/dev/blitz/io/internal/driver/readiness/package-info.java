/**
 * Sockets on a kernel interface that tells when a call may succeed (epoll, kqueue, poll): one loop
 * and one set of endpoints for all of them, over a small {@link
 * dev.blitz.io.internal.driver.readiness.Poller}.
 */
@NullMarked
package dev.blitz.io.internal.driver.readiness;

import org.jspecify.annotations.NullMarked;
