package dev.blitz.examples;

import dev.blitz.io.BackendProbe;

/**
 * The tour that {@code ./blitz demo} runs: one scene per capability.
 *
 * <p>Shows: what this machine offers. Run: {@code ./blitz demo}.
 */
public final class Demo {
  private Demo() {}

  /** Runs every scene. */
  public static void main(String[] args) {
    scene("This machine");
    IO.println("  cores     " + Runtime.getRuntime().availableProcessors());
    IO.println(
        "  system    "
            + property("os.name")
            + " "
            + property("os.version")
            + ", "
            + property("os.arch"));
    IO.println("  java      " + property("java.vm.name") + " " + property("java.vm.version"));
    for (var probe : BackendProbe.all()) {
      IO.println("  backend   " + probe);
    }
  }

  private static void scene(String title) {
    IO.println(title);
  }

  private static String property(String key) {
    return System.getProperty(key, "unknown");
  }
}
