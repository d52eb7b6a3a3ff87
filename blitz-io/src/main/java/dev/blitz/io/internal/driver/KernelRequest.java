package dev.blitz.io.internal.driver;

/**
 * What a kernel call asks for, as {@code struct io_uring_sqe} spells it; what an operation does not
 * need is 0. The kernel reads it when the call is submitted, and memory that it names as long as
 * the call lasts.
 *
 * @param opcode such as {@code IORING_OP_READ}
 * @param fd the descriptor, or {@code AT_FDCWD}
 * @param offset {@code off}, {@code addr2}
 * @param address {@code addr}, {@code splice_off_in}
 * @param length {@code len}
 * @param flags {@code rw_flags}, {@code open_flags} and their like
 * @param index {@code splice_fd_in}, {@code file_index}
 */
public record KernelRequest(
    int opcode, int fd, long offset, long address, int length, int flags, int index) {

  /** Without an index, which few operations have. */
  public KernelRequest(int opcode, int fd, long offset, long address, int length, int flags) {
    this(opcode, fd, offset, address, length, flags, 0);
  }
}
