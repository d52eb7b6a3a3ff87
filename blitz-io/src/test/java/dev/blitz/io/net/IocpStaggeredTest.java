package dev.blitz.io.net;

import dev.blitz.testkit.OnceIsEnough;

@OnceIsEnough
class IocpStaggeredTest extends StaggeredConformance {
  IocpStaggeredTest() {
    super("iocp");
  }
}
