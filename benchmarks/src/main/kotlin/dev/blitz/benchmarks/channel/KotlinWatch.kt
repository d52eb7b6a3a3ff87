package dev.blitz.benchmarks.channel

import kotlinx.coroutines.flow.MutableStateFlow

/** The watch of the channel group for Kotlin coroutines: it outlives a run, as the subject's does. */
class KotlinWatch {
    private val state = MutableStateFlow(0)

    fun run(count: Int): Long {
        var seen = 0L
        for (i in 0..<count) {
            state.value = i and SMALL
            if (state.value == i and SMALL) seen++
        }
        return seen
    }

    private companion object {
        const val SMALL = 127
    }
}
