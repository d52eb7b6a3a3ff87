package dev.blitz.io.net;

class NioStaggeredTest extends StaggeredConformance {
  NioStaggeredTest() {
    super("nio");
  }
}
