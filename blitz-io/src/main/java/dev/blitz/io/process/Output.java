package dev.blitz.io.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * What a program has said until its end.
 *
 * @param status how it ended
 * @param stdout what it wrote to its output; empty if that went elsewhere
 * @param stderr what it wrote to its error output; empty if that went elsewhere
 */
@SuppressWarnings("ArrayRecordComponent") // it is handed over, and nobody compares outputs
public record Output(ExitStatus status, byte[] stdout, byte[] stderr) {

  /** The output as text in UTF-8. */
  public String text() {
    return new String(stdout, StandardCharsets.UTF_8);
  }

  /** The error output as text in UTF-8. */
  public String errorText() {
    return new String(stderr, StandardCharsets.UTF_8);
  }

  /**
   * This, if the program was successful.
   *
   * @throws IOException otherwise, with its status and the end of its error output
   */
  public Output orThrow() throws IOException {
    if (status.success()) {
      return this;
    }
    String said = errorText().strip();
    int most = 1000;
    String end = said.length() > most ? "..." + said.substring(said.length() - most) : said;
    throw new IOException(status + (end.isEmpty() ? "" : ": " + end));
  }

  @Override
  public String toString() {
    return "Output["
        + status
        + ", "
        + stdout.length
        + " bytes, "
        + stderr.length
        + " bytes of errors]";
  }
}
