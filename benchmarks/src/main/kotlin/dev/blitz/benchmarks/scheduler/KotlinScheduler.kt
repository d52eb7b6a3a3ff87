package dev.blitz.benchmarks.scheduler

import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield

/** The workloads of the scheduler group for Kotlin coroutines. */
object KotlinScheduler {
    /** What is not joined belongs to this scope; a job that ends leaves it. */
    private val detached = CoroutineScope(Dispatchers.Default + SupervisorJob())

    private fun <T> inside(body: suspend CoroutineScope.() -> T): T =
        runBlocking(Dispatchers.Default, body)

    @JvmStatic
    fun spawnJoin(batches: Int, batch: Int, mask: Int): Long = inside {
        val jobs = ArrayList<Deferred<Int>>(batch)
        var sum = 0L
        repeat(batches) {
            for (i in 0..<batch) jobs.add(async { i and mask })
            for (job in jobs) sum += job.await()
            jobs.clear()
        }
        sum
    }

    @JvmStatic
    fun spawnFromTask(count: Int): Long = inside {
        val left = AtomicInteger(count)
        val done = KotlinSlot()
        repeat(count) {
            detached.launch { if (left.decrementAndGet() == 0) done.put() }
        }
        done.take()
        count.toLong()
    }

    @JvmStatic
    fun yields(tasks: Int, times: Int): Long = inside {
        val jobs = List<Job>(tasks) { launch { repeat(times) { yield() } } }
        for (job in jobs) job.join()
        tasks.toLong() * times
    }

    @JvmStatic
    fun pingPong(roundTrips: Int): Long = inside {
        val ping = KotlinSlot()
        val pong = KotlinSlot()
        launch {
            repeat(roundTrips) {
                ping.take()
                pong.put()
            }
        }
        repeat(roundTrips) {
            ping.put()
            pong.take()
        }
        roundTrips.toLong()
    }

    /** As most would write it. */
    @JvmStatic
    fun pingPongChannel(roundTrips: Int): Long = inside {
        val ping = Channel<Int>(1)
        val pong = Channel<Int>(1)
        launch { repeat(roundTrips) { pong.send(ping.receive()) } }
        var sum = 0L
        repeat(roundTrips) {
            ping.send(1)
            sum += pong.receive()
        }
        sum
    }

    @JvmStatic
    fun chainedSpawn(length: Int): Long = inside {
        val end = KotlinSlot()
        link(length, end)
        end.take()
        length.toLong()
    }

    private fun link(left: Int, end: KotlinSlot) {
        if (left == 0) end.put() else detached.launch { link(left - 1, end) }
    }

    /** Starts coroutines that run [body], from whatever thread calls. */
    @JvmStatic
    fun submit(count: Int, body: Runnable) {
        repeat(count) { detached.launch { body.run() } }
    }
}
