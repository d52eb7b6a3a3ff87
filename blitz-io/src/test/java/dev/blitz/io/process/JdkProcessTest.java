package dev.blitz.io.process;

import dev.blitz.testkit.OnceIsEnough;

/** By the JDK's ProcessBuilder. */
@OnceIsEnough
class JdkProcessTest extends ProcessConformance {
  JdkProcessTest() {
    super(new JdkSpawning(), null);
  }

  /** The JDK has a process and a thread more for each. */
  @Override
  int crowd() {
    return 200;
  }
}
