package dev.blitz.benchmarks

import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** Bodies that only Kotlin can write: they suspend. Java contenders call them as static methods. */
object KotlinChannels {
    /** Sends [count] longs between two coroutines of one thread; returns their sum. */
    @JvmStatic
    fun pump(capacity: Int, count: Int): Long = runBlocking {
        val channel = Channel<Long>(capacity)
        launch {
            for (value in 1L..count) channel.send(value)
            channel.close()
        }
        var sum = 0L
        for (value in channel) sum += value
        sum
    }
}
