package dev.blitz.io.bytes;

import java.io.IOException;

/** Closes what a wrapper was made for, if it can be closed. */
final class Closing {
  private Closing() {}

  static void close(Object below) throws IOException {
    if (below instanceof ByteStream stream) {
      stream.close();
    } else if (below instanceof AutoCloseable closeable) {
      closeOther(closeable);
    }
  }

  private static void closeOther(AutoCloseable closeable) throws IOException {
    try {
      closeable.close();
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
