package dev.blitz.io.internal.driver;

import dev.blitz.io.future.Waker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A socket of datagrams, each of which goes and comes as a whole. Its two sides, and what pending
 * means, are as with a {@link StreamEndpoint}, and so is a call without a waker.
 */
public interface DatagramEndpoint extends NetEndpoint {

  /** Nothing yet; the waker has been kept. */
  int PENDING = StreamEndpoint.PENDING;

  /** There is no room, and nothing will wake: the caller must try again later. */
  int NO_ROOM = -3;

  /** Where a receive leaves the sender's address. */
  final class Sender {
    /** Null before anything came. */
    public @Nullable SocketAddress address;
  }

  /**
   * Sends all of {@code source} as one datagram.
   *
   * @param to null for the peer that it is {@linkplain #connect connected} to
   * @return how many bytes, {@link #PENDING} or {@link #NO_ROOM}
   */
  int pollSend(ByteBuffer source, @Nullable SocketAddress to, @Nullable Waker waker)
      throws IOException;

  /**
   * Takes one datagram; what does not fit into {@code target} is lost.
   *
   * @param peek whether it stays to be received
   * @param from gets the sender; null if nobody asks
   * @return its whole length, also if less fits; or {@link #PENDING}
   */
  int pollReceive(ByteBuffer target, boolean peek, @Nullable Sender from, @Nullable Waker waker)
      throws IOException;

  /** Sends to {@code remote}, and receives from it alone, from now on; null ends that. */
  void connect(@Nullable SocketAddress remote) throws IOException;

  /** The address that it is connected to. */
  SocketAddress remoteAddress() throws IOException;

  /** Receives what is sent to {@code group} by way of {@code by}, or no longer. */
  void member(InetAddress group, NetworkInterface by, boolean joins) throws IOException;

  /** Forgets the waker of the receiving side, at once. */
  void forgetReader();

  /** Forgets the waker of the sending side. */
  void forgetWriter();

  /** Keeps {@code waker} as the sending side's: it is woken at the latest when this is closed. */
  void awaitClose(Waker waker);
}
