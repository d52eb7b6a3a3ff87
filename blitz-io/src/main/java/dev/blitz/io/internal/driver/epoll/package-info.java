/** The epoll backend: one shared instance, edge-triggered; one worker at a time waits in it. */
@NullMarked
package dev.blitz.io.internal.driver.epoll;

import org.jspecify.annotations.NullMarked;
