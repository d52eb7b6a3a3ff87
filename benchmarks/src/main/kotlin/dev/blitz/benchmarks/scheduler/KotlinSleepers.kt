package dev.blitz.benchmarks.scheduler

import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** Coroutines that sleep until one coroutine wakes them all. */
class KotlinSleepers(count: Int) {
    private val slots = Array(count) { KotlinSlot() }
    private val left = AtomicInteger()
    private val done = KotlinSlot()

    @Volatile private var stopped = false

    init {
        val scope = CoroutineScope(Dispatchers.Default)
        for (slot in slots) scope.launch { sleepAndCount(slot) }
    }

    private suspend fun sleepAndCount(slot: KotlinSlot) {
        while (true) {
            slot.take()
            if (stopped) return
            if (left.decrementAndGet() == 0) done.put()
        }
    }

    fun fanOut(times: Int): Long = runBlocking(Dispatchers.Default) {
        repeat(times) {
            left.set(slots.size)
            for (slot in slots) slot.put()
            done.take()
        }
        times.toLong() * slots.size
    }

    fun stop() {
        stopped = true
        for (slot in slots) slot.put()
    }
}
