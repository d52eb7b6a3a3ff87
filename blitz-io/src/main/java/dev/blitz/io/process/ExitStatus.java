package dev.blitz.io.process;

import dev.blitz.io.signal.Signal;
import java.util.Optional;

/**
 * How a program has ended: by itself with a code, or by a signal.
 *
 * <p>Where processes are started by the JDK (see {@link Command}) the two cannot be told apart if
 * the code is above 128: there a program that ends with 143 by itself counts as ended by TERM.
 *
 * @param code what the program has returned; 128 plus the number of the signal, as a shell says it,
 *     if a signal has ended it
 * @param signalNumber the number of the signal that has ended it; 0 if none has
 */
public record ExitStatus(int code, int signalNumber) {
  private static final int SIGNALLED = 128;

  static ExitStatus exited(int code) {
    return new ExitStatus(code, 0);
  }

  static ExitStatus killed(int signalNumber) {
    return new ExitStatus(SIGNALLED + signalNumber, signalNumber);
  }

  /** What the JDK says, which does not know signals. */
  static ExitStatus ofJdk(int code) {
    int signal = code - SIGNALLED;
    return signal > 0 && signal <= ProcessAbi.LAST_SIGNAL ? killed(signal) : exited(code);
  }

  /** Whether it ended by itself with the code 0. */
  public boolean success() {
    return code == 0;
  }

  /** Whether a signal has ended it. */
  public boolean bySignal() {
    return signalNumber != 0;
  }

  /** The signal that has ended it, if one has that is known by name. */
  public Optional<Signal> signal() {
    return ProcessAbi.signal(signalNumber);
  }

  @Override
  public String toString() {
    return bySignal()
        ? "ended by " + signal().map(s -> "SIG" + s).orElse("signal " + signalNumber)
        : "exit code " + code;
  }
}
