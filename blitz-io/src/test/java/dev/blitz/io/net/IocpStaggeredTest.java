package dev.blitz.io.net;

class IocpStaggeredTest extends StaggeredConformance {
  IocpStaggeredTest() {
    super("iocp");
  }
}
