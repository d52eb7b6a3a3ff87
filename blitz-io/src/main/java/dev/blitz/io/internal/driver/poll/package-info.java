/**
 * The poll(2) backend, for systems whose epoll and io_uring are denied: it names all with each
 * call.
 */
@NullMarked
package dev.blitz.io.internal.driver.poll;

import org.jspecify.annotations.NullMarked;
