/** Stress of the epoll backend's words. */
@NullMarked
package dev.blitz.io.internal.driver.epoll;

import org.jspecify.annotations.NullMarked;
