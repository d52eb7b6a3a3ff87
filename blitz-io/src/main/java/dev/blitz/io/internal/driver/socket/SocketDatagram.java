package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.future.Waker;
import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.DatagramEndpoint;
import dev.blitz.io.internal.driver.Datagrams;
import dev.blitz.io.internal.driver.posix.DescriptorCall;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.Platform;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A socket of datagrams on a native backend. Each moves by a call in the poll; the backend only has
 * to tell when the next one makes sense.
 */
public interface SocketDatagram extends DatagramEndpoint, SocketEndpoint {

  /**
   * A call's answer: there is no room with the receiver, which says nothing of this socket's own
   * side. A backend hands it on as it is.
   */
  long RECEIVER_FULL = Long.MIN_VALUE + 1;

  /**
   * Makes a call as soon as it makes sense.
   *
   * @return what it says, {@code -errno} included; {@code -EAGAIN} if it would be in vain now, or
   *     was: then the waker has been kept
   */
  long pollCall(boolean reading, @Nullable Waker waker, DescriptorCall call) throws IOException;

  @Override
  default int pollSend(ByteBuffer source, @Nullable SocketAddress to, @Nullable Waker waker)
      throws IOException {
    AddressFamily family = socket().family();
    // The system tells when there is room in the own queue, but of a stranger's on this machine
    // nothing: that needs no waker.
    boolean silent = to != null && family == AddressFamily.UNIX;
    long n =
        pollCall(
            false,
            silent ? null : waker,
            (frame, fd) -> {
              int sent = DatagramBytes.send(frame, fd, source, to, family);
              // As EAGAIN it would let a later send wait for an event that need not come.
              return isReceiverFull(sent, silent, family) ? RECEIVER_FULL : sent;
            });
    if (n >= 0) {
      return (int) n;
    }
    if (n == RECEIVER_FULL) {
      return NO_ROOM;
    }
    if (n == -Errno.EAGAIN) {
      return PENDING;
    }
    throw notSent((int) -n, to, source.remaining());
  }

  private static IOException notSent(int errno, @Nullable SocketAddress to, int length) {
    String what = to == null ? "send" : "send to " + to;
    if (errno == Errno.EMSGSIZE) {
      what += ", a datagram of " + length + " bytes";
    }
    return SocketErrors.datagram(what, errno);
  }

  private static boolean isReceiverFull(int sent, boolean silent, AddressFamily family) {
    return sent == -Errno.EAGAIN
        ? silent
        // What systems of BSD say of any receiver on this machine that has no room.
        : sent == -Errno.ENOBUFS && family == AddressFamily.UNIX && Platform.here().isBsd();
  }

  @Override
  default int pollReceive(
      ByteBuffer target, boolean peek, @Nullable Sender from, @Nullable Waker waker)
      throws IOException {
    long n =
        pollCall(true, waker, (frame, fd) -> DatagramBytes.receive(frame, fd, target, peek, from));
    if (n >= 0) {
      return (int) n;
    }
    if (n == -Errno.EAGAIN) {
      return PENDING;
    }
    throw SocketErrors.datagram("receive", (int) -n);
  }

  /** By one call where the system has it, else by one for each. */
  @Override
  default int pollSendMany(Datagrams batch, @Nullable Waker waker) throws IOException {
    if (!MessageBatch.isThere() || batch.size() < 2) {
      return DatagramEndpoint.super.pollSendMany(batch, waker);
    }
    AddressFamily family = socket().family();
    SocketAddress to = batch.address(0);
    boolean silent = to != null && family == AddressFamily.UNIX; // as above
    long n =
        pollCall(
            false,
            silent ? null : waker,
            (frame, fd) -> {
              int sent = MessageBatch.of(batch).send(frame, fd, family);
              return isReceiverFull(sent, silent, family) ? RECEIVER_FULL : sent;
            });
    if (n >= 0) {
      batch.remove((int) n);
      return (int) n;
    }
    if (n == RECEIVER_FULL) {
      return NO_ROOM;
    }
    if (n == -Errno.EAGAIN) {
      return PENDING;
    }
    if (MessageBatch.isRefused((int) -n)) {
      return DatagramEndpoint.super.pollSendMany(batch, waker);
    }
    throw notSent((int) -n, to, batch.length(0));
  }

  /** As {@link #pollSendMany}. */
  @Override
  default int pollReceiveMany(Datagrams batch, @Nullable Waker waker) throws IOException {
    if (!MessageBatch.isThere()) {
      return DatagramEndpoint.super.pollReceiveMany(batch, waker);
    }
    long n = pollCall(true, waker, (frame, fd) -> MessageBatch.of(batch).receive(frame, fd));
    if (n >= 0) {
      return (int) n;
    }
    if (n == -Errno.EAGAIN) {
      return PENDING;
    }
    if (MessageBatch.isRefused((int) -n)) {
      return DatagramEndpoint.super.pollReceiveMany(batch, waker);
    }
    throw SocketErrors.datagram("receive", (int) -n);
  }

  @Override
  default void connect(@Nullable SocketAddress remote) throws IOException {
    socket().connectDatagrams(remote);
  }

  @Override
  default SocketAddress remoteAddress() throws IOException {
    return socket().remoteAddress();
  }

  @Override
  default void member(InetAddress group, NetworkInterface by, boolean joins) throws IOException {
    socket().member(group, by, joins);
  }
}
