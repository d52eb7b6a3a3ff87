package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.Descriptor;
import dev.blitz.io.internal.driver.posix.Errno;
import dev.blitz.io.internal.driver.posix.Platform;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import dev.blitz.io.internal.driver.posix.PosixCalls;
import dev.blitz.io.internal.driver.posix.PosixErrors;
import dev.blitz.io.internal.driver.posix.Transfer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/**
 * A descriptor that somebody else has opened: a pipe, a FIFO, a terminal, a process, a socket. No
 * call on it waits: a socket is told so with each call, anything else is non-blocking.
 */
public final class ForeignDescriptor extends Descriptor {
  private static final Transfer.Single READ = PosixCalls::read;
  private static final Transfer.Vectored READ_ALL = PosixCalls::readVectors;
  private static final Transfer.Single WRITE = PosixCalls::write;
  private static final Transfer.Vectored WRITE_ALL = PosixCalls::writeVectors;
  private static final Transfer.Single RECEIVE =
      (frame, fd, memory, length) ->
          SocketCalls.receive(frame, fd, memory, length, SocketAbi.MSG_DONTWAIT);
  private static final Transfer.Vectored RECEIVE_ALL =
      (frame, fd, count) -> SocketCalls.receiveVectors(frame, fd, count, SocketAbi.MSG_DONTWAIT);
  private static final Transfer.Single SEND =
      (frame, fd, memory, length) ->
          SocketCalls.send(frame, fd, memory, length, SocketAbi.MSG_DONTWAIT);
  private static final Transfer.Vectored SEND_ALL =
      (frame, fd, count) -> SocketCalls.sendVectors(frame, fd, count, SocketAbi.MSG_DONTWAIT);

  private static final int LAST_STANDARD = 2;
  private static final int OPEN_FLAGS =
      PosixAbi.O_NONBLOCK | PosixAbi.O_CLOEXEC | PosixAbi.O_NOCTTY;

  private final boolean socket;
  private final boolean writeOnly;

  private ForeignDescriptor(int number, boolean socket, boolean writeOnly) {
    super(number);
    this.socket = socket;
    this.writeOnly = writeOnly;
  }

  /**
   * Owns {@code number} from now on, and makes it non-blocking. It is closed if this fails.
   *
   * @throws IOException if it is not open, or cannot be waited for
   * @throws IllegalArgumentException for the standard ones, which other programs share; they stay
   *     as they are
   */
  public static ForeignDescriptor adopt(int number) throws IOException {
    if (number >= 0 && number <= LAST_STANDARD) {
      throw new IllegalArgumentException(
          "descriptor "
              + number
              + " is shared with other programs, whose reads and writes must go on waiting: reopen it"
              + " instead");
    }
    return closingIfRefused(number, true);
  }

  /**
   * Owns a second way to what {@code number} is, which stays as it is: a pipe, a FIFO or a terminal
   * is opened once more, a socket duplicated.
   */
  public static ForeignDescriptor reopen(int number) throws IOException {
    return closingIfRefused(openAgain(number), false);
  }

  private static ForeignDescriptor closingIfRefused(int number, boolean changes)
      throws IOException {
    try {
      return owning(number, changes);
    } catch (Throwable t) {
      PosixCalls.close(number);
      throw t;
    }
  }

  private static ForeignDescriptor owning(int number, boolean changes) throws IOException {
    CallFrame frame = CallFrame.take();
    try {
      int type = PosixErrors.check("descriptor " + number, PosixCalls.fileType(frame, number));
      String unfit =
          switch (type) {
            case PosixAbi.S_IFREG -> "a regular file";
            case PosixAbi.S_IFDIR -> "a directory";
            case PosixAbi.S_IFBLK -> "a block device";
            default -> null;
          };
      if (unfit != null) {
        throw new IOException(
            "descriptor " + number + " is " + unfit + ", for which nobody can wait");
      }
      boolean socket = type == PosixAbi.S_IFSOCK;
      int flags =
          PosixErrors.check("fcntl", PosixCalls.control(frame, number, PosixAbi.F_GETFL, 0));
      var owner =
          new ForeignDescriptor(number, socket, (flags & PosixAbi.O_ACCMODE) == PosixAbi.O_WRONLY);
      if (changes && !socket && (flags & PosixAbi.O_NONBLOCK) == 0) {
        PosixErrors.check(
            "fcntl",
            PosixCalls.control(frame, number, PosixAbi.F_SETFL, flags | PosixAbi.O_NONBLOCK));
      }
      return owner;
    } finally {
      frame.giveBack();
    }
  }

  private static int openAgain(int number) throws IOException {
    CallFrame frame = CallFrame.take();
    try (var arena = Arena.ofConfined()) {
      String what = "descriptor " + number;
      int flags = PosixErrors.check(what, PosixCalls.control(frame, number, PosixAbi.F_GETFL, 0));
      int type = PosixErrors.check(what, PosixCalls.fileType(frame, number));
      if (type == PosixAbi.S_IFSOCK) {
        return PosixErrors.check(
            what, PosixCalls.control(frame, number, PosixAbi.F_DUPFD_CLOEXEC, LAST_STANDARD + 1));
      }
      if (Platform.here() != Platform.LINUX) {
        throw new IOException(
            what
                + " cannot be opened once more: only Linux can do that with what is no socket;"
                + " adopt a duplicate that nobody else uses");
      }
      MemorySegment path = arena.allocateFrom("/proc/self/fd/" + number);
      int how = (flags & PosixAbi.O_ACCMODE) | OPEN_FLAGS;
      int own = PosixCalls.open(frame, path, how, 0);
      return PosixErrors.check("open descriptor " + number + " once more", own);
    } finally {
      frame.giveBack();
    }
  }

  /** Whether closing it tells a reader that nothing more comes. */
  public boolean isWriteOnly() {
    return writeOnly;
  }

  /** Tells the peer that nothing more comes, if it is a socket. */
  public void endOutput() throws IOException {
    CallFrame frame = CallFrame.take(); // first: it may find no memory
    try {
      if (!tryUse()) {
        throw new ClosedChannelException();
      }
      try {
        int r = socket ? SocketCalls.shutdown(frame, number(), SocketAbi.SHUT_WR) : 0;
        if (r != -Errno.ENOTCONN) {
          PosixErrors.check("shutdown", r);
        }
      } finally {
        release();
      }
    } finally {
      frame.giveBack();
    }
  }

  /** While in use: how many bytes came, 0 at the end, or {@code -errno}. */
  public int in(CallFrame frame, ByteBuffer target) {
    return socket
        ? Transfer.in(frame, number(), target, RECEIVE)
        : Transfer.in(frame, number(), target, READ);
  }

  /** As {@link #in} into several segments. */
  public long inAll(CallFrame frame, MemorySegment[] targets) {
    return socket
        ? Transfer.inAll(frame, number(), targets, RECEIVE, RECEIVE_ALL)
        : Transfer.inAll(frame, number(), targets, READ, READ_ALL);
  }

  /** While in use: how many bytes went out, or {@code -errno}. */
  public int out(CallFrame frame, ByteBuffer source) {
    return socket
        ? Transfer.out(frame, number(), source, SEND)
        : Transfer.out(frame, number(), source, WRITE);
  }

  /** As {@link #out} from several segments. */
  public long outAll(CallFrame frame, MemorySegment[] sources) {
    return socket
        ? Transfer.outAll(frame, number(), sources, SEND, SEND_ALL)
        : Transfer.outAll(frame, number(), sources, WRITE, WRITE_ALL);
  }

  /** While in use: the poll bits that are the case now, or {@code -EAGAIN} if none of them is. */
  public int readiness(CallFrame frame, int events) {
    int bits = PosixCalls.readiness(frame, number(), events);
    if (bits == 0) {
      return -Errno.EAGAIN;
    }
    return bits > 0 && (bits & PosixAbi.POLLNVAL) != 0 ? -Errno.EBADF : bits;
  }
}
