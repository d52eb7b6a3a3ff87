package dev.blitz.io.fs;

import dev.blitz.io.bytes.DirectInput;
import java.io.IOException;

/** A file whose bytes another stream takes from the system's memory. */
final class FileInput implements DirectInput {
  /**
   * What a socket is given at a time. It is sent inside a poll: more would keep the worker from
   * others for longer, less costs more calls.
   */
  static final int SENT_BYTES = 1 << 20;

  /**
   * What one operation copies to another file. More would hold a thread for longer, and go on for
   * longer after a drop.
   */
  static final long COPIED_BYTES = 8 << 20;

  /** Below this a copy through memory is as quick. */
  static final long LEAST_COPIED_BYTES = 64 << 10;

  private final AsyncFile file;
  private final PresentBytes present = new PresentBytes();

  FileInput(AsyncFile file) {
    this.file = file;
  }

  AsyncFile file() {
    return file;
  }

  @Override
  public long move(Move move) throws IOException {
    return file.move(move, present);
  }
}
