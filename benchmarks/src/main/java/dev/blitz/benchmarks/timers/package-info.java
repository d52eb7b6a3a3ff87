/**
 * The group {@code timers}: the timer wheel against Netty's HashedWheelTimer and the JDK's
 * ScheduledThreadPoolExecutor, each with one thread that fires and a real clock.
 *
 * <p>A class per contender, a method per workload, the same names everywhere; {@code TimerSizes}
 * has the numbers. {@code BlitzTimer} gives the wheel the thread that a runtime's workers would be,
 * so that timers are compared without tasks; whole tasks are in {@code GuardedTasks} and {@code
 * SleepLateness}.
 */
@NullMarked
package dev.blitz.benchmarks.timers;

import org.jspecify.annotations.NullMarked;
