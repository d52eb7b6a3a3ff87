package dev.blitz.io.internal.file;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A path as the kernel takes it.
 *
 * @param bytes with a zero at the end
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PathBytes(byte[] bytes) {
  /** What two of them, and a statx, fit into the memory of an operation with. */
  private static final int MOST_BYTES = 3500;

  /** Of a path that is found from anywhere; null if it is not one for the kernel. */
  static @Nullable PathBytes of(Path path) {
    return path.getFileSystem() == FileSystems.getDefault() ? asGiven(path.toAbsolutePath()) : null;
  }

  /**
   * Of a path as it is. Names are bytes, and those that are no text in the system's encoding are
   * lost in a string: it is looked whether the string is the same path.
   */
  static @Nullable PathBytes asGiven(Path path) {
    if (path.getFileSystem() != FileSystems.getDefault()) {
      return null;
    }
    String text = path.toString();
    if (text.isEmpty()) {
      return null;
    }
    byte[] encoded = text.getBytes(Encoding.OF_NAMES);
    boolean ascii = encoded.length == text.length() && isAscii(encoded);
    if (!ascii && !Path.of(text).equals(path)) {
      return null;
    }
    return encoded.length >= MOST_BYTES
        ? null
        : new PathBytes(Arrays.copyOf(encoded, encoded.length + 1));
  }

  private static boolean isAscii(byte[] bytes) {
    for (byte b : bytes) {
      if (b < 0) {
        return false;
      }
    }
    return true;
  }

  /** Found when it is needed. */
  private static final class Encoding {
    static final Charset OF_NAMES =
        Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"), StandardCharsets.UTF_8);
  }

  /** Copies it to the beginning of {@code memory}, which is returned. */
  MemorySegment copyTo(MemorySegment memory) {
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, memory, 0, bytes.length);
    return memory;
  }

  /** Copies it to {@code at}; where it ends. */
  int copyTo(ByteBuffer memory, int at) {
    memory.put(at, bytes);
    return at + bytes.length;
  }
}
