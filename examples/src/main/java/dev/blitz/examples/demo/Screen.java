package dev.blitz.examples.demo;

import java.util.Locale;

/** Scenes, figures, and one line that changes: in a terminal in its place, else one line each. */
final class Screen {
  private static final String CLEAR = "\r\u001b[K";

  private final boolean terminal;
  private boolean isLive;

  Screen() {
    var console = System.console();
    @SuppressWarnings("SystemConsoleNull") // of JDK 25 it is null again where there is no terminal
    boolean isThere = console != null && console.isTerminal();
    terminal = isThere;
  }

  void scene(String title) {
    settle();
    IO.println();
    IO.println(title);
  }

  /** A figure and its name. */
  void figure(String name, String text) {
    settle();
    IO.println(format(name, text));
  }

  /** A figure that will change. */
  void live(String name, String text) {
    if (terminal) {
      IO.print(CLEAR + format(name, text));
      isLive = true;
    } else {
      IO.println(format(name, text));
    }
  }

  /** How often a figure that changes is worth showing. */
  int updatesPerSecond() {
    return terminal ? 4 : 1;
  }

  private void settle() {
    if (isLive) {
      IO.println();
      isLive = false;
    }
  }

  private static String format(String name, String text) {
    return String.format(Locale.ROOT, "  %-12s%s", name, text);
  }

  static String number(long n) {
    return String.format(Locale.ROOT, "%,d", n);
  }

  /** In a unit that suits it. */
  static String time(long nanos) {
    if (nanos < 10_000) {
      return nanos + " ns";
    }
    if (nanos < 10_000_000) {
      return number(nanos / 1_000) + " us";
    }
    return number(nanos / 1_000_000) + " ms";
  }
}
