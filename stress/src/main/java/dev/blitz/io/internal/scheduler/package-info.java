/** Stress of run queues and the idle state. */
@NullMarked
package dev.blitz.io.internal.scheduler;

import org.jspecify.annotations.NullMarked;
