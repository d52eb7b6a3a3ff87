/**
 * The kqueue backend, of macOS and FreeBSD, and of Linux with libkqueue: one shared queue,
 * edge-triggered; one worker at a time waits in it.
 */
@NullMarked
package dev.blitz.io.internal.driver.kqueue;

import org.jspecify.annotations.NullMarked;
