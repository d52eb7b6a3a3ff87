package dev.blitz.benchmarks.scheduler

import java.util.concurrent.atomic.AtomicReference
import kotlin.coroutines.Continuation
import kotlin.coroutines.resume
import kotlin.coroutines.suspendCoroutine

/** A hand-off with one slot, made of a continuation and an atomic: empty, waited for, or full. */
class KotlinSlot {
    private val state = AtomicReference<Any?>(null)

    fun put() {
        val before = state.getAndSet(FULL)
        if (before is Continuation<*>) {
            @Suppress("UNCHECKED_CAST")
            (before as Continuation<Unit>).resume(Unit)
        }
    }

    suspend fun take() {
        if (state.get() !== FULL) {
            suspendCoroutine { taker ->
                if (!state.compareAndSet(null, taker)) taker.resume(Unit)
            }
        }
        state.setRelease(null)
    }

    private companion object {
        val FULL = Any()
    }
}
