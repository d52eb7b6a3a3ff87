package dev.blitz.io.process;

/** By the JDK's ProcessBuilder. */
class JdkProcessTest extends ProcessConformance {
  JdkProcessTest() {
    super(new JdkSpawning(), null);
  }
}
