package dev.blitz.io.internal.driver.uring;

import static java.lang.foreign.MemoryLayout.structLayout;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.blitz.io.internal.driver.KernelRequest;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;

/**
 * {@code struct io_uring_sqe}: its layout and one writer per operation. Each writer fills the whole
 * entry at {@code at}, a byte offset into the mapped entries, because entries are used again.
 */
final class SubmissionAbi {
  private SubmissionAbi() {}

  static final int OP_NOP = 0;
  static final int OP_POLL_ADD = 6;
  static final int OP_ACCEPT = 13;
  static final int OP_ASYNC_CANCEL = 14;
  static final int OP_READ = 22;
  static final int OP_SEND = 26;
  static final int OP_RECV = 27;

  static final int FLAG_BUFFER_SELECT = 1 << 5;

  /** No completion if it succeeds. */
  static final int FLAG_SKIP_SUCCESS = 1 << 6;

  /** In {@code ioprio} of an accept. */
  static final int ACCEPT_MULTISHOT = 1;

  /** In {@code ioprio} of a receive. */
  static final int RECV_MULTISHOT = 1 << 1;

  /** In {@code len} of a poll. */
  static final int POLL_MULTISHOT = 1;

  /** In {@code cancel_flags}: every match, not only the first. */
  static final int CANCEL_ALL = 1;

  /** In {@code cancel_flags}: match anything; since 5.19. */
  static final int CANCEL_ANY = 1 << 2;

  private static final int SOCK_NONBLOCK_CLOEXEC = 0x800 | 0x80000;
  private static final int MSG_NOSIGNAL = 0x4000;

  /** For a send: the kernel goes on until everything is sent. */
  private static final int MSG_WAITALL = 0x100;

  private static final int MSG_DONTWAIT = 0x40;
  private static final int SEND_FLAGS = MSG_NOSIGNAL | MSG_WAITALL;

  static final MemoryLayout LAYOUT =
      structLayout(
          JAVA_BYTE.withName("opcode"),
          JAVA_BYTE.withName("flags"),
          JAVA_SHORT.withName("ioprio"),
          JAVA_INT.withName("fd"),
          JAVA_LONG.withName("off"),
          JAVA_LONG.withName("addr"),
          JAVA_INT.withName("len"),
          JAVA_INT.withName("op_flags"),
          JAVA_LONG.withName("user_data"),
          JAVA_SHORT.withName("buf_group"),
          JAVA_SHORT.withName("personality"),
          JAVA_INT.withName("file_index"),
          JAVA_LONG.withName("addr3"),
          JAVA_LONG.withName("resv"));

  static final long BYTES = 64;

  static void nop(MemorySegment entries, long at, long userData) {
    write(entries, at, OP_NOP, 0, 0, -1, 0, 0, 0, 0, userData, 0);
  }

  /** Whatever {@code request} says. */
  static void call(MemorySegment entries, long at, KernelRequest request, long userData) {
    write(
        entries,
        at,
        request.opcode(),
        0,
        0,
        request.fd(),
        request.offset(),
        request.address(),
        request.length(),
        request.flags(),
        userData,
        0);
    entries.set(JAVA_INT, at + 44, request.index());
  }

  /** Accepts until it is cancelled or fails: one completion per connection, non-blocking. */
  static void acceptMany(MemorySegment entries, long at, int fd, long userData) {
    write(
        entries,
        at,
        OP_ACCEPT,
        0,
        ACCEPT_MULTISHOT,
        fd,
        0,
        0,
        0,
        SOCK_NONBLOCK_CLOEXEC,
        userData,
        0);
  }

  /** Receives until the end, an error, or a lack of buffers: one completion per buffer. */
  static void receiveMany(MemorySegment entries, long at, int fd, int group, long userData) {
    write(
        entries, at, OP_RECV, FLAG_BUFFER_SELECT, RECV_MULTISHOT, fd, 0, 0, 0, 0, userData, group);
  }

  /** Sends all of a piece of driver memory, waiting for room if need be. */
  static void send(
      MemorySegment entries, long at, int fd, long address, int length, long userData) {
    write(entries, at, OP_SEND, 0, 0, fd, 0, address, length, SEND_FLAGS, userData, 0);
  }

  /**
   * As {@link #send}, but all of it at once, within the call that submits it; completes, before
   * that call ends, only if that was not possible.
   */
  static void sendAtOnce(
      MemorySegment entries, long at, int fd, long address, int length, long userData) {
    int flags = SEND_FLAGS | MSG_DONTWAIT;
    write(entries, at, OP_SEND, FLAG_SKIP_SUCCESS, 0, fd, 0, address, length, flags, userData, 0);
  }

  /** Another length for an entry that the kernel has not taken. */
  static void setLength(MemorySegment entries, long at, int length) {
    entries.set(JAVA_INT, at + 24, length);
  }

  /** Completes once when one of the events, or an error, is there. */
  static void poll(MemorySegment entries, long at, int fd, int events, long userData) {
    write(entries, at, OP_POLL_ADD, 0, 0, fd, 0, 0, 0, events, userData, 0);
  }

  /** Completes each time that one of the events comes about. */
  static void pollMany(MemorySegment entries, long at, int fd, int events, long userData) {
    write(entries, at, OP_POLL_ADD, 0, 0, fd, 0, 0, POLL_MULTISHOT, events, userData, 0);
  }

  /** Cancels the operation submitted with {@code target} as its user data. */
  static void cancel(MemorySegment entries, long at, long target, long userData) {
    write(entries, at, OP_ASYNC_CANCEL, 0, 0, -1, 0, target, 0, 0, userData, 0);
  }

  /** Cancels every operation of this ring. */
  static void cancelEverything(MemorySegment entries, long at, long userData) {
    int flags = CANCEL_ALL | CANCEL_ANY;
    write(entries, at, OP_ASYNC_CANCEL, 0, 0, -1, 0, 0, 0, flags, userData, 0);
  }

  private static void write(
      MemorySegment entries,
      long at,
      int opcode,
      int flags,
      int ioprio,
      int fd,
      long offset,
      long address,
      int length,
      int operationFlags,
      long userData,
      int group) {
    entries.set(JAVA_BYTE, at, (byte) opcode);
    entries.set(JAVA_BYTE, at + 1, (byte) flags);
    entries.set(JAVA_SHORT, at + 2, (short) ioprio);
    entries.set(JAVA_INT, at + 4, fd);
    entries.set(JAVA_LONG, at + 8, offset);
    entries.set(JAVA_LONG, at + 16, address);
    entries.set(JAVA_INT, at + 24, length);
    entries.set(JAVA_INT, at + 28, operationFlags);
    entries.set(JAVA_LONG, at + 32, userData);
    entries.set(JAVA_LONG, at + 40, 0);
    entries.set(JAVA_SHORT, at + 40, (short) group);
    entries.set(JAVA_LONG, at + 48, 0);
    entries.set(JAVA_LONG, at + 56, 0);
  }
}
