package dev.blitz.io.fs;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.file.FileDriver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;

/** Files that are read and written in one go: one visit to the lane each. */
final class WholeFiles {
  /** What an array can hold. */
  static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private static final int FIRST_BYTES = 4096;

  private WholeFiles() {}

  static void checkLimit(int limit) {
    if (limit < 0 || limit > MOST_BYTES) {
      throw new IllegalArgumentException("no limit: " + limit);
    }
  }

  static IoFuture<byte[]> read(FileDriver files, Path path, int limit) {
    return files.readAll(path, limit, () -> readNow(path, limit));
  }

  /** Does not believe in the size: what grows is read to its end, what has none is read too. */
  private static byte[] readNow(Path path, int limit) throws IOException {
    try (SeekableByteChannel channel = Files.newByteChannel(path)) {
      long size = channel.size();
      if (size > limit) {
        throw tooLarge(path, limit);
      }
      byte[] bytes = new byte[size == 0 ? Math.min(limit, FIRST_BYTES) : (int) size];
      int length = 0;
      for (var one = ByteBuffer.allocate(1); ; ) {
        boolean full = length == bytes.length;
        int n =
            channel.read(
                full ? one.clear() : ByteBuffer.wrap(bytes, length, bytes.length - length));
        if (n < 0) {
          return full ? bytes : Arrays.copyOf(bytes, length);
        }
        if (full) {
          if (length >= limit) {
            throw tooLarge(path, limit);
          }
          int more = (int) Math.min(limit, Math.max(FIRST_BYTES, 2L * length));
          bytes = Arrays.copyOf(bytes, more);
          bytes[length] = one.get(0);
        }
        length += n;
      }
    }
  }

  private static FileSystemException tooLarge(Path path, int limit) {
    return new FileSystemException(
        path.toString(), null, "more than the limit of " + limit + " bytes");
  }

  static String decode(byte[] bytes, Charset charset) throws CharacterCodingException {
    return charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
  }

  static IoFuture<Done> write(Path path, byte[] bytes, Set<OpenOption> options) {
    Objects.requireNonNull(path, "path");
    byte[] copy = bytes.clone();
    return FileHost.watched(files ->
        files.callOpening(
            "write",
            path,
            () -> {
              Files.write(path, copy, options.toArray(OpenOption[]::new));
              return Done.DONE;
            }));
  }
}
