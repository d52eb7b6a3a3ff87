package dev.blitz.benchmarks.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Gives the server and the load a processor each, where {@code taskset} can do so. Otherwise the
 * kernel moves both about, which costs each server something else in each run.
 */
final class Processors {
  private static final List<Integer> ALLOWED = allowed();

  private Processors() {}

  /** What a server's command begins with. */
  static List<String> serverPrefix() {
    return isPinning() ? List.of("taskset", "-c", ALLOWED.getFirst().toString()) : List.of();
  }

  /** A thread that stays on the load's processor until this is closed. */
  static final class Pin implements AutoCloseable {
    private final String thread;

    private Pin(String thread) {
      this.thread = thread;
    }

    @Override
    public void close() throws IOException {
      if (isPinning()) {
        move(thread, ALLOWED);
      }
    }
  }

  /** Moves the calling thread to the load's processor. */
  static Pin pinLoad() throws IOException {
    if (!isPinning()) {
      return new Pin("");
    }
    String thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName().toString();
    move(thread, List.of(ALLOWED.getLast()));
    return new Pin(thread);
  }

  private static void move(String thread, List<Integer> processors) throws IOException {
    String list = processors.stream().map(String::valueOf).collect(Collectors.joining(","));
    run("taskset", "-p", "-c", list, thread);
  }

  static boolean isPinning() {
    return ALLOWED.size() > 1;
  }

  /** The processors that may be used; empty if they cannot be chosen. */
  private static List<Integer> allowed() {
    try {
      run("taskset", "-p", Long.toString(ProcessHandle.current().pid()));
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("Cpus_allowed_list:")) {
          return parse(line.substring(line.indexOf(':') + 1).strip());
        }
      }
    } catch (IOException e) {
      // No taskset, or not Linux.
    }
    return List.of();
  }

  /** Numbers and ranges, such as {@code 0-3,8}. */
  static List<Integer> parse(String list) {
    List<Integer> numbers = new ArrayList<>();
    for (String part : list.split(",", -1)) {
      String[] bounds = part.split("-", 2);
      int last = Integer.parseInt(bounds[bounds.length - 1]);
      for (int i = Integer.parseInt(bounds[0]); i <= last; i++) {
        numbers.add(i);
      }
    }
    return List.copyOf(numbers);
  }

  private static void run(String... command) throws IOException {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (process.waitFor() != 0) {
        throw new IOException(command[0] + " failed");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
