package dev.blitz.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** What Linux tells of a process: how often its threads were scheduled, what it has open. */
public final class ProcessLook {
  private final Path folder;

  private ProcessLook(Path folder) {
    this.folder = folder;
  }

  /** This process. */
  public static ProcessLook atSelf() {
    return new ProcessLook(Path.of("/proc/self"));
  }

  /** Another process of the same user. */
  public static ProcessLook at(Process process) {
    return new ProcessLook(Path.of("/proc", Long.toString(process.pid())));
  }

  /** Whether the system tells at all. */
  public boolean isPossible() {
    return Files.isDirectory(folder.resolve("task"));
  }

  /**
   * Context switches of each worker and overseer; threads of the blocking pool may end meanwhile. A
   * thread whose count stays the same has waited all the time, so it has made no system call.
   */
  public Map<String, Long> switches() throws IOException {
    var found = new TreeMap<String, Long>();
    try (var threads = Files.newDirectoryStream(folder.resolve("task"))) {
      for (Path thread : threads) {
        try {
          String name = Files.readString(thread.resolve("comm")).strip();
          if (name.startsWith("blitz-") && !name.contains("block")) {
            long n =
                Files.readAllLines(thread.resolve("status")).stream()
                    .filter(line -> line.contains("ctxt_switches"))
                    .mapToLong(ProcessLook::digits)
                    .sum();
            found.put(name + "/" + thread.getFileName(), n);
          }
        } catch (NoSuchFileException e) {
          // It has ended.
        }
      }
    }
    return found;
  }

  /** The memory that the process has in the machine, in KB. */
  public long residentKilobytes() throws IOException {
    return Files.readAllLines(folder.resolve("status")).stream()
        .filter(line -> line.startsWith("VmRSS"))
        .mapToLong(ProcessLook::digits)
        .sum();
  }

  /** How many descriptors are open, the listing's own among them. */
  public long descriptors() throws IOException {
    try (var entries = Files.list(folder.resolve("fd"))) {
      return entries.count();
    }
  }

  private static long digits(String line) {
    return Long.parseLong(line.replaceAll("\\D", ""));
  }
}
