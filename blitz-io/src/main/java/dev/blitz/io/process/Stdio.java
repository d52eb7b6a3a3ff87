package dev.blitz.io.process;

import java.nio.file.Path;
import java.util.Objects;

/** Where an input of a child comes from, or an output goes to. */
public sealed interface Stdio {

  /** The same as this program's. */
  static Stdio inherit() {
    return Plain.INHERIT;
  }

  /**
   * A pipe, whose other end is {@link Child#stdin}, {@link Child#stdout} or {@link Child#stderr}.
   */
  static Stdio pipe() {
    return Plain.PIPE;
  }

  /** Nothing: an input is at its end, an output is forgotten. */
  static Stdio discard() {
    return Plain.DISCARD;
  }

  /** An error output goes where the output goes. */
  static Stdio toStdout() {
    return Plain.TO_STDOUT;
  }

  /** Input comes from a file; output goes to it, which is made if it is missing, and emptied. */
  static Stdio file(Path path) {
    return new OfFile(path, false);
  }

  /** Output goes to the end of a file, which is made if it is missing. */
  static Stdio append(Path path) {
    return new OfFile(path, true);
  }

  /** One that needs no more words. */
  enum Plain implements Stdio {
    /** {@link Stdio#inherit}. */
    INHERIT,
    /** {@link Stdio#pipe}. */
    PIPE,
    /** {@link Stdio#discard}. */
    DISCARD,
    /** {@link Stdio#toStdout}. */
    TO_STDOUT
  }

  /** {@link Stdio#file} or {@link Stdio#append}. */
  record OfFile(Path path, boolean append) implements Stdio {
    /** Needs a path. */
    public OfFile {
      Objects.requireNonNull(path, "path");
    }
  }
}
