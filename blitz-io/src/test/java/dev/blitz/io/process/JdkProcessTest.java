package dev.blitz.io.process;

/** By the JDK's ProcessBuilder. */
class JdkProcessTest extends ProcessConformance {
  @Override
  Spawning way() {
    return new JdkSpawning();
  }

  /** Each takes three threads here. */
  @Override
  int crowd() {
    return 300;
  }
}
