package dev.blitz.io.internal.driver.socket;

import dev.blitz.io.internal.driver.AddressFamily;
import dev.blitz.io.internal.driver.DatagramEndpoint.Sender;
import dev.blitz.io.internal.driver.posix.CallFrame;
import dev.blitz.io.internal.driver.posix.PosixAbi;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Moves whole datagrams between a socket and memory of any kind: what lies on the heap goes through
 * the frame's staging area, or through memory of its own if it is longer.
 */
final class DatagramBytes {
  private DatagramBytes() {}

  /** How long the datagram was, also if less fits; or {@code -errno}. */
  static int receive(
      CallFrame frame, int fd, ByteBuffer target, boolean peek, @Nullable Sender from)
      throws IOException {
    MemorySegment memory = MemorySegment.ofBuffer(target);
    int flags = SocketAbi.MSG_TRUNC | (peek ? SocketAbi.MSG_PEEK : 0);
    int n;
    if (memory.isNative()) {
      n = call(frame, fd, memory, flags, from);
    } else if (memory.byteSize() <= CallFrame.STAGING_BYTES) {
      n = staged(frame, fd, memory, frame.staging(), flags, from);
    } else {
      try (var arena = Arena.ofConfined()) {
        n = staged(frame, fd, memory, arena.allocate(memory.byteSize()), flags, from);
      }
    }
    if (n >= 0 && from != null) {
      from.address = SocketNames.read(frame.address(), PosixAbi.intAt(frame.length(), 0));
    }
    return n;
  }

  private static int staged(
      CallFrame frame,
      int fd,
      MemorySegment target,
      MemorySegment staging,
      int flags,
      @Nullable Sender from) {
    MemorySegment memory = staging.asSlice(0, target.byteSize());
    int n = call(frame, fd, memory, flags, from);
    if (n > 0) {
      MemorySegment.copy(memory, 0, target, 0, Math.min(n, target.byteSize()));
    }
    return n;
  }

  private static int call(
      CallFrame frame, int fd, MemorySegment memory, int flags, @Nullable Sender from) {
    return SocketAbi.SO_NREAD == SocketAbi.ABSENT
        ? callOnce(frame, fd, memory, flags, from)
        : callAsking(frame, fd, memory, flags, from);
  }

  /** Where a receive does not tell how long the datagram was: asks before. */
  private static int callAsking(
      CallFrame frame, int fd, MemorySegment memory, int flags, @Nullable Sender from) {
    int length = firstLength(frame, fd);
    if (length <= 0) { // nothing was there, or an empty one, or it came just now
      int n = SocketCalls.receive(frame, fd, frame.value(), 1, SocketAbi.MSG_PEEK);
      if (n < 0) {
        return n;
      }
      length = firstLength(frame, fd);
    }
    int n = callOnce(frame, fd, memory, flags, from);
    return n < 0 ? n : Math.max(n, length);
  }

  private static int firstLength(CallFrame frame, int fd) {
    int r =
        SocketCalls.getOption(frame, fd, SocketAbi.SOL_SOCKET, SocketAbi.SO_NREAD, Integer.BYTES);
    return r < 0 ? 0 : PosixAbi.intAt(frame.value(), 0);
  }

  private static int callOnce(
      CallFrame frame, int fd, MemorySegment memory, int flags, @Nullable Sender from) {
    return from == null
        ? SocketCalls.receive(frame, fd, memory, memory.byteSize(), flags)
        : SocketCalls.receiveFrom(frame, fd, memory, memory.byteSize(), flags);
  }

  /** How many bytes went out, which is all of them, or {@code -errno}. */
  static int send(
      CallFrame frame, int fd, ByteBuffer source, @Nullable SocketAddress to, AddressFamily family)
      throws IOException {
    MemorySegment memory = MemorySegment.ofBuffer(source);
    int nameBytes = to == null ? 0 : SocketNames.write(frame.address(), to, family);
    if (memory.isNative()) {
      return call(frame, fd, memory, nameBytes);
    }
    if (memory.byteSize() <= CallFrame.STAGING_BYTES) {
      return call(frame, fd, copy(memory, frame.staging()), nameBytes);
    }
    try (var arena = Arena.ofConfined()) {
      return call(frame, fd, copy(memory, arena.allocate(memory.byteSize())), nameBytes);
    }
  }

  private static MemorySegment copy(MemorySegment from, MemorySegment to) {
    MemorySegment.copy(from, 0, to, 0, from.byteSize());
    return to.asSlice(0, from.byteSize());
  }

  private static int call(CallFrame frame, int fd, MemorySegment memory, int nameBytes) {
    return nameBytes == 0
        ? SocketCalls.send(frame, fd, memory, memory.byteSize(), 0)
        : SocketCalls.sendTo(frame, fd, memory, memory.byteSize(), nameBytes);
  }
}
