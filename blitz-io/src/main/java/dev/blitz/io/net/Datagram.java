package dev.blitz.io.net;

import java.net.SocketAddress;

/**
 * What is known of a datagram besides its bytes.
 *
 * @param sender where an answer goes
 * @param length how many bytes it had, also if not all of them fit
 * @param truncated whether the buffer was too small, and the rest is lost
 */
public record Datagram<A extends SocketAddress>(A sender, int length, boolean truncated) {}
