/**
 * Channels between tasks: {@link dev.blitz.io.channel.Channel} (many to many, bounded or not),
 * {@link dev.blitz.io.channel.Oneshot} (one value), {@link dev.blitz.io.channel.Broadcast} (every
 * receiver gets every message) and {@link dev.blitz.io.channel.Watch} (the latest value).
 *
 * <p>Two tiers everywhere: {@code tryX()} never waits and needs no runtime; {@code x()} is a
 * future, for tasks to poll and for threads to {@code await()}. Dropping such a future loses
 * nothing: a send that has not ended has not sent, a receive that has not ended has taken nothing.
 *
 * <p>Closed is a value where it is normal (a loop over the messages ends) and a {@link
 * dev.blitz.io.channel.ChannelClosedException} where it is a mistake or a surprise (a send to
 * nobody, a receive that counted on a message).
 *
 * <h2>Memory consistency</h2>
 *
 * What a thread does before it sends a message happens before anything that follows the receipt of
 * that message. What it does before it closes a channel happens before anything that follows the
 * news of it.
 */
@NullMarked
package dev.blitz.io.channel;

import org.jspecify.annotations.NullMarked;
