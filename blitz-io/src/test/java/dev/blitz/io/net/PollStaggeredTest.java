package dev.blitz.io.net;

class PollStaggeredTest extends StaggeredConformance {
  PollStaggeredTest() {
    super("poll");
  }
}
