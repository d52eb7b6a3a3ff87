/**
 * What the native backends share: system calls on sockets, their layouts and numbers, addresses,
 * errors, and descriptors that close after their last use.
 */
@NullMarked
package dev.blitz.io.internal.driver.socket;

import org.jspecify.annotations.NullMarked;
