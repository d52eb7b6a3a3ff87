package dev.blitz.parallel;

/**
 * What one worker of a pool has done so far; see {@link Pool#workerStats}. Each number is exact;
 * taken while jobs run they are not one snapshot.
 *
 * @param index the worker's number in its pool
 * @param executed jobs it ran that went through the pool, as {@link PoolStats#executed} counts them
 * @param stolen how many of them it took from another worker
 * @param slept how often it went to sleep
 * @param woken how often it was woken
 */
public record WorkerStats(int index, long executed, long stolen, long slept, long woken) {}
