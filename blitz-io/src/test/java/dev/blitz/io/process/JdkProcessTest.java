package dev.blitz.io.process;

import dev.blitz.testkit.OnceIsEnough;
import java.nio.file.Files;
import java.nio.file.Path;

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

  /** The JDK hands on what it was started with. */
  @Override
  long ignoredHereAndThere() throws Exception {
    try (var lines = Files.lines(Path.of("/proc/self/status"))) {
      String ignored = lines.filter(l -> l.startsWith("SigIgn:")).findFirst().orElseThrow();
      return Long.parseUnsignedLong(ignored.substring("SigIgn:".length()).strip(), 16);
    }
  }
}
