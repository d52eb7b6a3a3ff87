package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.Transfer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Moves bytes between a socket and memory of any kind; see {@link Transfer}. */
public final class SocketBytes {
  private SocketBytes() {}

  private static final Transfer.Single RECEIVE =
      (frame, fd, memory, length) -> SocketCalls.receive(frame, fd, memory, length, 0);
  private static final Transfer.Single PEEK =
      (frame, fd, memory, length) ->
          SocketCalls.receive(frame, fd, memory, length, SocketAbi.MSG_PEEK);
  private static final Transfer.Vectored RECEIVE_ALL =
      (frame, fd, count) -> SocketCalls.receiveVectors(frame, fd, count, 0);
  private static final Transfer.Single SEND =
      (frame, fd, memory, length) -> SocketCalls.send(frame, fd, memory, length, 0);
  private static final Transfer.Single SEND_BEFORE_MORE =
      (frame, fd, memory, length) ->
          SocketCalls.send(frame, fd, memory, length, SocketAbi.MSG_MORE);
  private static final Transfer.Vectored SEND_ALL =
      (frame, fd, count) -> SocketCalls.sendVectors(frame, fd, count, 0);

  /** How many bytes came, 0 at the end of the stream, or {@code -errno}. */
  public static int receive(CallFrame frame, int fd, ByteBuffer target, boolean peek) {
    return peek ? Transfer.in(frame, fd, target, PEEK) : Transfer.in(frame, fd, target, RECEIVE);
  }

  /** How many bytes went out, or {@code -errno}. */
  public static int send(CallFrame frame, int fd, ByteBuffer source) {
    return Transfer.out(frame, fd, source, SEND);
  }

  /** As {@link #send} of what more follows at once, which may go in the same packet. */
  public static int sendBeforeMore(CallFrame frame, int fd, ByteBuffer source) {
    return Transfer.out(frame, fd, source, SEND_BEFORE_MORE);
  }

  /** Sends bytes of the file {@code from} without their passing through our memory. */
  public static long sendFile(CallFrame frame, int fd, int from, long position, long length) {
    return SocketCalls.sendFile(frame, fd, from, position, length);
  }

  /** As {@link #receive} into several segments, in one call. */
  public static long receiveAll(CallFrame frame, int fd, MemorySegment[] targets) {
    return Transfer.inAll(frame, fd, targets, RECEIVE, RECEIVE_ALL);
  }

  /** As {@link #send} from several segments, in one call. */
  public static long sendAll(CallFrame frame, int fd, MemorySegment[] sources) {
    return Transfer.outAll(frame, fd, sources, SEND, SEND_ALL);
  }

  /**
   * How a connection that was on its way has ended: 0, a failure, or {@code -EAGAIN} if it has not.
   */
  public static int connectOutcome(CallFrame frame, int fd) {
    int r = SocketCalls.getOption(frame, fd, SocketAbi.SOL_SOCKET, SocketAbi.SO_ERROR, 4);
    int error = r < 0 ? -r : Errno.ofSystem(PosixAbi.intAt(frame.value(), 0));
    if (error != 0) {
      return -error;
    }
    return SocketCalls.peerName(frame, fd) == -Errno.ENOTCONN ? -Errno.EAGAIN : 0;
  }
}
