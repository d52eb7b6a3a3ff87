package dev.blitz.parallel;

/**
 * What a pool has done so far. Each number is exact; taken while jobs run they are not one
 * snapshot.
 *
 * {@snippet :
 * PoolStats before = pool.stats();
 * pool.run(work);
 * long stolen = pool.stats().stolen() - before.stolen();
 * }
 *
 * @param executed jobs that went through the pool: calls, spawned jobs, broadcast shares, and forks
 *     that were shared. Forks that nobody asked for are plain calls and are not counted; counting
 *     them would cost as much as forking them.
 * @param stolen jobs a worker took from another worker
 * @param injected jobs that came from threads outside the pool
 * @param slept how often a worker went to sleep
 * @param woken how often a sleeping worker was woken
 */
public record PoolStats(long executed, long stolen, long injected, long slept, long woken) {}
