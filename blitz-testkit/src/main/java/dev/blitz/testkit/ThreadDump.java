package dev.blitz.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Every thread of the JVM with its stack, as text. */
final class ThreadDump {

  private ThreadDump() {}

  static String take() {
    return platformThreads() + deadlocks() + allThreads();
  }

  /* The JDK's own dump has the virtual threads, but not every monitor of the platform threads. */
  private static String platformThreads() {
    return Arrays.stream(ManagementFactory.getThreadMXBean().dumpAllThreads(true, true, 256))
        .map(Object::toString)
        .collect(Collectors.joining("", "--- platform threads and their locks\n", ""));
  }

  private static String deadlocks() {
    long[] ids = ManagementFactory.getThreadMXBean().findDeadlockedThreads();
    return ids == null ? "" : "--- DEADLOCK among threads " + Arrays.toString(ids) + "\n";
  }

  private static String allThreads() {
    try {
      var diagnostics = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      if (diagnostics == null) {
        return "--- virtual threads: this JVM cannot list them\n";
      }
      Path folder = Files.createTempDirectory("threads");
      Path file = folder.resolve("dump.txt");
      try {
        diagnostics.dumpThreads(file.toAbsolutePath().toString(), ThreadDumpFormat.TEXT_PLAIN);
        return "--- all threads, virtual ones included\n" + Files.readString(file);
      } finally {
        Files.deleteIfExists(file);
        Files.delete(folder);
      }
    } catch (IOException | UnsupportedOperationException e) {
      return "--- virtual threads: cannot be listed: " + e + "\n";
    }
  }
}
