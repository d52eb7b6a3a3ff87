package dev.blitz.io.signal;

import org.jspecify.annotations.Nullable;

/**
 * A signal of POSIX. All may be sent to a child process; {@link Signals#listen} takes those that
 * the JVM does not need itself.
 */
public enum Signal {
  /** The terminal has gone; by custom: read the configuration again. */
  HUP,
  /** Interrupted from the keyboard. */
  INT,
  /** Quit from the keyboard; a JVM prints its threads. */
  QUIT("the JVM prints its threads when it comes"),
  ILL("the JVM needs it for its own compiled code"),
  TRAP("the JVM needs it for its own compiled code"),
  /** Of {@code abort()}. */
  ABRT("it ends a JVM that has found itself broken"),
  BUS("the JVM needs it for mapped files and its own compiled code"),
  FPE("the JVM needs it for divisions by zero"),
  /** Ends a process at once; cannot be caught. */
  KILL("no process can catch it"),
  /** For users. */
  USR1,
  SEGV("the JVM needs it for null checks and its own stacks"),
  /** For users, but not in a JVM. */
  USR2(
      "the JVM would accept that and break itself: it stops its threads by this signal to look at"
          + " them, and the flight recorder would see none any more"),
  PIPE(
      "the JVM would accept that and break itself: it ignores this signal so that a write to a peer"
          + " that has gone fails and nothing more"),
  ALRM,
  /** The request to end. */
  TERM,
  CHLD("the JDK and dev.blitz.io.process wait for their children without it"),
  CONT,
  /** Stops a process until {@link #CONT}; cannot be caught. */
  STOP("no process can catch it"),
  TSTP,
  TTIN,
  TTOU,
  URG,
  XCPU("the JVM would accept that and not end at its limit any more"),
  XFSZ("the JVM ignores it so that a write beyond the limit fails and nothing more"),
  VTALRM,
  PROF("profilers need it"),
  /** The terminal has another size. */
  WINCH,
  IO,
  SYS("it ends a process whose call of the system is forbidden");

  private final @Nullable String refusal;

  Signal() {
    this(null);
  }

  Signal(@Nullable String refusal) {
    this.refusal = refusal;
  }

  /** Why nobody can listen to it in a JVM; null if one can. */
  @Nullable String refusal() {
    return refusal;
  }
}
