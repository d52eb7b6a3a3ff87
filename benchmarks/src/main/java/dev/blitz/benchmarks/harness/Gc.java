package dev.blitz.benchmarks.harness;

import java.lang.management.ManagementFactory;
import java.util.Locale;

/** The collectors a group can be run with. */
public enum Gc {
  /** The default of the JVM on larger machines, and ours. */
  G1("G1", "-XX:+UseG1GC"),
  /** Cheapest write barrier. */
  PARALLEL("Parallel", "-XX:+UseParallelGC"),
  /** Load barriers, no compressed oops. */
  ZGC("ZGC", "-XX:+UseZGC");

  private final String label;
  private final String flag;

  Gc(String label, String flag) {
    this.label = label;
    this.flag = flag;
  }

  /**
   * The collector by its name on the command line.
   *
   * @param name in any case
   * @return the collector
   */
  public static Gc parse(String name) {
    for (var gc : values()) {
      if (gc.name().equals(name.toUpperCase(Locale.ROOT))) {
        return gc;
      }
    }
    throw new IllegalArgumentException("unknown collector " + name + ": g1, parallel or zgc");
  }

  String label() {
    return label;
  }

  String flag() {
    return flag;
  }

  /** What this very JVM uses, by the names of its collector beans. */
  static String current() {
    String first = ManagementFactory.getGarbageCollectorMXBeans().getFirst().getName();
    if (first.startsWith("G1")) {
      return G1.label;
    }
    if (first.startsWith("PS")) {
      return PARALLEL.label;
    }
    return first.startsWith("ZGC") ? ZGC.label : first;
  }
}
