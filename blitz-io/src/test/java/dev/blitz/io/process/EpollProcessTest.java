package dev.blitz.io.process;

/** By posix_spawn and epoll. */
class EpollProcessTest extends NativeProcessConformance {
  EpollProcessTest() {
    super("epoll");
  }
}
