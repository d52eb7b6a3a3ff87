package dev.blitz.io.process;

import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.bytes.ByteWriter;
import dev.blitz.io.descriptor.AsyncDescriptor;
import dev.blitz.io.internal.services.Services;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * This program's own input and outputs, for tasks.
 *
 * {@snippet :
 * var buffer = ByteBuffer.allocate(4096);
 * while (StandardStreams.input().read(buffer.clear()).await() >= 0) {
 *   StandardStreams.output().writeAll(buffer.flip()).await();
 * }
 * }
 *
 * <p>A pipe or a terminal is opened once more for this, since other programs may have the same one:
 * it is never made non-blocking for them. What cannot be opened again or waited for, such as a
 * file, is read and written by a thread. Nothing is buffered here, and {@code System.in} and {@code
 * System.out} do not know of it: use one or the other.
 *
 * <p>Each call makes a stream of its own, which belongs to the runtime of the calling task and is
 * closed with it, without closing what it stands for.
 */
public final class StandardStreams {
  private StandardStreams() {}

  /**
   * The input.
   *
   * @throws IllegalStateException if called outside a task
   */
  public static ByteReader input() {
    Services services = Services.required("the standard input");
    try {
      return AsyncDescriptor.reopen(0);
    } catch (IOException | UnsupportedOperationException e) {
      return BlockingStream.from(services, new OpenInput(FileDescriptor.in), "stdin");
    }
  }

  /** The output; otherwise as {@link #input}. */
  public static ByteWriter output() {
    return writer(1, FileDescriptor.out, "stdout");
  }

  /** The error output; otherwise as {@link #input}. */
  public static ByteWriter error() {
    return writer(2, FileDescriptor.err, "stderr");
  }

  private static ByteWriter writer(int number, FileDescriptor descriptor, String name) {
    Services services = Services.required(name);
    try {
      return AsyncDescriptor.reopen(number);
    } catch (IOException | UnsupportedOperationException e) {
      return BlockingStream.to(services, new OpenOutput(descriptor), name);
    }
  }

  /** Stays open: the JDK would let what is closed lead to nowhere, for the whole program. */
  private static final class OpenInput extends FileInputStream {
    OpenInput(FileDescriptor descriptor) {
      super(descriptor);
    }

    @Override
    public void close() {}
  }

  /** Stays open, too. */
  private static final class OpenOutput extends FileOutputStream {
    OpenOutput(FileDescriptor descriptor) {
      super(descriptor);
    }

    @Override
    public void close() {}
  }
}
