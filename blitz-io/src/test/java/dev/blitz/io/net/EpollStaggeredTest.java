package dev.blitz.io.net;

class EpollStaggeredTest extends StaggeredConformance {
  EpollStaggeredTest() {
    super("epoll");
  }
}
