package dev.blitz.io.internal.driver.posix;

/** The systems whose numbers and layouts this library knows. */
public enum Platform {
  LINUX,
  MACOS,
  FREEBSD,
  /** Any other: no native call is made there. */
  UNKNOWN;

  private static final Platform HERE = of(System.getProperty("os.name", ""));

  /** The one that this process runs on. */
  public static Platform here() {
    return HERE;
  }

  /** By the name that a JVM gives it. */
  public static Platform of(String osName) {
    return switch (osName) {
      case "Linux" -> LINUX;
      case "Mac OS X" -> MACOS;
      case "FreeBSD" -> FREEBSD;
      default -> UNKNOWN;
    };
  }

  /**
   * Whether it descends from BSD: names of sockets begin with their length, functions of Linux are
   * not there, and numbers differ.
   */
  public boolean isBsd() {
    return this == MACOS || this == FREEBSD;
  }

  /** A row of a table of numbers: the one for this platform. */
  public int pick(int linux, int macos, int freebsd) {
    return switch (this) {
      case MACOS -> macos;
      case FREEBSD -> freebsd;
      case LINUX, UNKNOWN -> linux; // nobody uses it where it is unknown
    };
  }
}
