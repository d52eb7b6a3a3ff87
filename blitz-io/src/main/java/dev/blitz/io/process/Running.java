package dev.blitz.io.process;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.future.Promise;
import dev.blitz.io.signal.Signal;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A process that was started, in one way or another. Thread safe. */
interface Running {

  long pid();

  /** Null if it is no pipe. */
  @Nullable ByteWriter stdin();

  /** Null if it is no pipe. */
  @Nullable ByteReader stdout();

  /** Null if it is no pipe. */
  @Nullable ByteReader stderr();

  /** Completed once it has ended, and no zombie is left; closed if nobody will know. */
  Promise<ExitStatus> status();

  /**
   * Sends a signal.
   *
   * @param group to all of its process group
   * @return false if it has ended
   * @throws IOException if the system refuses
   * @throws UnsupportedOperationException if this system cannot
   */
  boolean signal(Signal signal, boolean group) throws IOException;

  /** Closes our ends of the pipes. */
  void closePipes();
}
