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

  /**
   * Sends datagrams of {@code batch}, from its front, as many as the system takes now; they leave
   * it.
   *
   * @return how many, at least one; {@link #PENDING} or {@link #NO_ROOM} if none
   * @throws IOException if the first of those that are left cannot be sent
   */
  default int pollSendMany(Datagrams batch, @Nullable Waker waker) throws IOException {
    int sent = 0;
    while (batch.size() > 0) {
      int n = pollSend(batch.bytes(0), batch.address(0), waker);
      if (n < 0) {
        return sent == 0 ? n : sent; // whoever goes on is told to wait
      }
      batch.remove(1);
      sent++;
    }
    return sent;
  }

  /**
   * Takes the datagrams that are there, as many as fit, into {@code batch}, in place of what is in
   * it. What fails after the first is left with the batch.
   *
   * @return how many, at least one; or {@link #PENDING}, and the batch is as it was
   */
  default int pollReceiveMany(Datagrams batch, @Nullable Waker waker) throws IOException {
    var from = new Sender();
    int n = pollReceive(batch.firstRoom(), false, from, waker);
    if (n < 0) {
      return n;
    }
    batch.clear();
    try {
      while (n >= 0) {
        batch.add(from.address, n);
        n = batch.isFull() ? PENDING : pollReceive(batch.nextRoom(), false, from, null);
      }
    } catch (IOException e) {
      batch.failedAfter(e);
    }
    return batch.size();
  }

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
