package dev.blitz.benchmarks.scheduler

import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.Continuation
import kotlin.coroutines.resume
import kotlin.coroutines.suspendCoroutine
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch

/** Coroutines that are suspended until [end]. */
class KotlinMemory(count: Int) {
    private val waiting = arrayOfNulls<Continuation<Unit>>(count)
    private val suspended = AtomicInteger()

    init {
        val scope = CoroutineScope(Dispatchers.Default)
        for (i in waiting.indices) scope.launch { sleep(i) }
        while (suspended.get() < count) Thread.onSpinWait()
    }

    private suspend fun sleep(i: Int) = suspendCoroutine { me ->
        waiting[i] = me
        suspended.incrementAndGet()
    }

    fun end() {
        for (one in waiting) one?.resume(Unit)
    }
}
