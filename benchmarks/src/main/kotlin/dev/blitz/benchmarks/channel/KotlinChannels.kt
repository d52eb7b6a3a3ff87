package dev.blitz.benchmarks.channel

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.async
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** The workloads of the channel group for Kotlin coroutines. */
object KotlinChannels {
    private const val SMALL = 127

    private fun <T> inside(body: suspend CoroutineScope.() -> T): T =
        runBlocking(Dispatchers.Default, body)

    private fun fill(channel: Channel<Int>, count: Int): Long {
        var sent = 0L
        for (i in 0..<count) if (channel.trySend(i and SMALL).isSuccess) sent++
        return sent
    }

    private fun drain(channel: Channel<Int>): Long {
        var received = 0L
        while (channel.tryReceive().isSuccess) received++
        return received
    }

    @JvmStatic
    fun send(count: Int): Long = fill(Channel(count), count)

    @JvmStatic
    fun sendReceive(count: Int): Long {
        val channel = Channel<Int>(count)
        fill(channel, count)
        return drain(channel)
    }

    @JvmStatic
    fun sendReceiveUnbounded(count: Int): Long {
        val channel = Channel<Int>(Channel.UNLIMITED)
        fill(channel, count)
        return drain(channel)
    }

    @JvmStatic
    fun roundTrip(count: Int): Long {
        val channel = Channel<Int>(1)
        var received = 0L
        for (i in 0..<count) {
            channel.trySend(i and SMALL)
            if (channel.tryReceive().isSuccess) received++
        }
        return received
    }

    @OptIn(ExperimentalCoroutinesApi::class)
    @JvmStatic
    fun oneshot(count: Int): Long {
        var received = 0L
        for (i in 0..<count) {
            val deferred = CompletableDeferred<Int>()
            deferred.complete(i and SMALL)
            if (deferred.getCompleted() == i and SMALL) received++
        }
        return received
    }

    @JvmStatic
    fun contended(capacity: Int, producers: Int, perProducer: Int, consumers: Int): Long = inside {
        val channel = Channel<Int>(capacity)
        val share = producers * perProducer / consumers
        val received = List(consumers) {
            async {
                repeat(share) { channel.receive() }
                share.toLong()
            }
        }
        repeat(producers) {
            launch { for (i in 0..<perProducer) channel.send(i and SMALL) }
        }
        received.sumOf { it.await() }
    }

    @JvmStatic
    fun chain(capacity: Int, stages: Int, messages: Int): Long = inside {
        var source = Channel<Int>(capacity)
        val first = source
        launch { for (i in 0..<messages) first.send(i and SMALL) }
        repeat(stages - 1) {
            val from = source
            val to = Channel<Int>(capacity)
            launch { repeat(messages) { to.send(from.receive()) } }
            source = to
        }
        repeat(messages) { source.receive() }
        messages.toLong()
    }

    @JvmStatic
    fun pingPong(roundTrips: Int): Long = inside {
        val ping = Channel<Int>(1)
        val pong = Channel<Int>(1)
        launch { repeat(roundTrips) { pong.send(ping.receive()) } }
        repeat(roundTrips) {
            ping.send(1)
            pong.receive()
        }
        roundTrips.toLong()
    }
}
