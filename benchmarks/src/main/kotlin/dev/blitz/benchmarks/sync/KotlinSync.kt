package dev.blitz.benchmarks.sync

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.sync.withPermit

/** The workloads of the sync group for Kotlin coroutines, which have mutex and semaphore. */
object KotlinSync {
    @JvmStatic
    fun mutex(pairs: Int): Long {
        val mutex = Mutex()
        var count = 0L
        for (i in 0..<pairs) {
            if (mutex.tryLock()) {
                count++
                mutex.unlock()
            }
        }
        return count
    }

    @JvmStatic
    fun semaphore(pairs: Int, permits: Int): Long {
        val semaphore = Semaphore(permits)
        var count = 0L
        for (i in 0..<pairs) {
            if (semaphore.tryAcquire()) {
                count++
                semaphore.release()
            }
        }
        return count
    }

    @JvmStatic
    fun mutexContended(tasks: Int, times: Int): Long {
        val mutex = Mutex()
        var count = 0L
        runBlocking(Dispatchers.Default) {
            repeat(tasks) { launch { repeat(times) { mutex.withLock { count++ } } } }
        }
        return count
    }

    @JvmStatic
    fun semaphoreContended(tasks: Int, times: Int, permits: Int): Long {
        val semaphore = Semaphore(permits)
        runBlocking(Dispatchers.Default) {
            repeat(tasks) { launch { repeat(times) { semaphore.withPermit {} } } }
        }
        return semaphore.availablePermits.toLong()
    }
}
