/**
 * Values over time: {@link dev.blitz.io.stream.Source}, its operators and its bridges to loops,
 * futures and reactive streams.
 *
 * <p>A source is pulled: nothing happens that nobody asks for, so a slow consumer slows its
 * producer down. It has one owner at a time, as a future has, and runs in the task of its owner; no
 * operator starts a task or a thread. Dropping a wait for the next item loses nothing; closing the
 * source drops all of it.
 *
 * <h2>Memory consistency</h2>
 *
 * What is done before an item enters a source (a channel's send, a publisher's {@code onNext}, the
 * end of a future of {@code mapAsync}) happens before whatever follows the poll that yields it or
 * what was made of it. A call of a user's function by an operator happens before the next call of
 * any function of the same source. What is done before {@code close} happens before whatever
 * follows the news of it.
 */
@NullMarked
package dev.blitz.io.stream;

import org.jspecify.annotations.NullMarked;
