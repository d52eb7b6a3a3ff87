package dev.blitz.io.net;

import dev.blitz.testkit.OnceIsEnough;

@OnceIsEnough
class PollStaggeredTest extends StaggeredConformance {
  PollStaggeredTest() {
    super("poll");
  }
}
