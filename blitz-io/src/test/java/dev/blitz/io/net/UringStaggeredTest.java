package dev.blitz.io.net;

class UringStaggeredTest extends StaggeredConformance {
  UringStaggeredTest() {
    super("io_uring");
  }
}
