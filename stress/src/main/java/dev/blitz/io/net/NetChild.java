package dev.blitz.io.net;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Processes that stand at the other end of connections, and what is said between us. */
final class NetChild {
  private NetChild() {}

  /** The clients of an echo server. */
  static Process clients(String backend, int port, int connections, long seed, Duration length)
      throws IOException {
    return start(
        EchoClients.class,
        backend,
        String.valueOf(port),
        String.valueOf(connections),
        String.valueOf(seed),
        String.valueOf(length.toMillis()));
  }

  static Process start(Class<?> main, String... args) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** What the child says after {@code word}; anything else is a failure. */
  static String require(String word, BufferedReader said) throws IOException {
    String line = said.readLine();
    if (line == null || !line.startsWith(word)) {
      var all = new StringBuilder().append(line);
      for (String more = said.readLine(); more != null; more = said.readLine()) {
        all.append('\n').append(more);
      }
      throw new AssertionError("the child did not get to '" + word + "': " + all);
    }
    return line.substring(word.length()).strip();
  }

  /** Sends a signal, by its name; to one that has ended, none. */
  static void signal(String name, Process to) throws IOException, InterruptedException {
    int status = new ProcessBuilder("sh", "-c", "kill -" + name + " " + to.pid()).start().waitFor();
    if (status != 0 && to.isAlive()) {
      throw new AssertionError("kill -" + name + " of a child says " + status);
    }
  }
}
