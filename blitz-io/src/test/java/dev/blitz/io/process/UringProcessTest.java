package dev.blitz.io.process;

/** By posix_spawn and io_uring. */
class UringProcessTest extends NativeProcessConformance {
  UringProcessTest() {
    super("io_uring");
  }
}
