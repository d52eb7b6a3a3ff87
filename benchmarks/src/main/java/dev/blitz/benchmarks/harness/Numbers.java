package dev.blitz.benchmarks.harness;

import java.util.Locale;

/** Numbers as people read them: three digits, and a unit near one. */
final class Numbers {
  private Numbers() {}

  static String plain(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    double size = Math.abs(value);
    if (size >= 100 || size == 0) {
      return String.format(Locale.ROOT, "%,.0f", value);
    }
    if (size >= 10) {
      return String.format(Locale.ROOT, "%.1f", value);
    }
    return String.format(Locale.ROOT, size >= 0.1 ? "%.2f" : "%.3f", value);
  }

  /** A count that fits below an axis: 10 K, 5 M. */
  static String shortCount(long count) {
    if (count >= 1_000_000 && count % 1_000_000 == 0) {
      return count / 1_000_000 + " M";
    }
    return count >= 1_000 && count % 1_000 == 0 ? count / 1_000 + " K" : Long.toString(count);
  }

  /** Scales times; leaves other units as they are. */
  static String withUnit(double value, String unit) {
    if (unit.startsWith("ns")) {
      String rest = unit.substring("ns".length());
      if (value >= 1e9) {
        return plain(value / 1e9) + " s" + rest;
      }
      if (value >= 1e6) {
        return plain(value / 1e6) + " ms" + rest;
      }
      if (value >= 1e4) {
        return plain(value / 1e3) + " us" + rest;
      }
    }
    return plain(value) + " " + unit;
  }

  static String spread(Quartiles q) {
    return "%s [%s..%s]".formatted(plain(q.median()), plain(q.lower()), plain(q.upper()));
  }
}
