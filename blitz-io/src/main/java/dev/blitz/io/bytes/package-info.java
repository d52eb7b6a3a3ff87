/**
 * Streams of bytes of any kind: what reads is a {@link dev.blitz.io.bytes.ByteReader}, what writes
 * a {@link dev.blitz.io.bytes.ByteWriter}, and a {@link dev.blitz.io.bytes.ByteStream} does both.
 * Libraries take these instead of sockets, and work over all of them.
 *
 * <p>Memory consistency: what a task did before it wrote is not ordered with what a reader does
 * after it has read; bytes carry no more than their values. Operations on one side of one stream
 * happen one after the other.
 */
@NullMarked
package dev.blitz.io.bytes;

import org.jspecify.annotations.NullMarked;
