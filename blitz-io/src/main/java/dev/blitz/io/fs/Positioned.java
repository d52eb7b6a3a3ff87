package dev.blitz.io.fs;

import dev.blitz.io.future.Done;
import dev.blitz.io.internal.file.FileOperation;
import dev.blitz.io.internal.file.Gather;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads and writes at a place that is given. */
final class Positioned {
  private Positioned() {}

  /** {@link AsyncFile#readAt}. */
  static final class Read extends FileFuture<Integer> {
    private final AsyncFile handle;
    private final long position;
    private final ByteBuffer[] targets;

    Read(AsyncFile handle, long position, ByteBuffer[] targets) {
      super(handle);
      this.handle = handle;
      this.position = position;
      this.targets = targets;
    }

    @Override
    @Nullable Integer now() throws IOException {
      handle.requireReadable();
      if (Gather.remaining(targets) == 0) {
        return 0;
      }
      int n = targets.length == 1 ? file().readNow(targets[0], position) : FileOperation.PENDING;
      return n == FileOperation.PENDING ? null : n;
    }

    @Override
    FileOperation begin() throws IOException {
      return file().read(Gather.remaining(targets), position);
    }

    @Override
    Integer ended(FileOperation operation, long result) {
      return result < 0 ? FileOperation.EOF : Gather.into(targets, operation.bytes());
    }

    @Override
    public String toString() {
      return "bytes at " + position + " of " + file().path();
    }
  }

  /** {@link AsyncFile#readFullyAt}. */
  static final class ReadFully extends FileFuture<Done> {
    private final AsyncFile handle;
    private final ByteBuffer[] targets;
    private long position;

    ReadFully(AsyncFile handle, long position, ByteBuffer[] targets) {
      super(handle);
      this.handle = handle;
      this.position = position;
      this.targets = targets;
    }

    @Override
    @Nullable Done now() throws IOException {
      handle.requireReadable();
      if (Gather.remaining(targets) > 0 && targets.length == 1) {
        int n = file().readNow(targets[0], position);
        if (n == FileOperation.PENDING) {
          return null;
        }
        position += requireMore(n);
        progressed();
      }
      return isDone();
    }

    private @Nullable Done isDone() {
      return Gather.remaining(targets) == 0 ? Done.DONE : null;
    }

    private int requireMore(long n) throws EOFException {
      if (n < 0) {
        throw new EOFException(
            file().path() + " ended at " + position + " before all that was to be read");
      }
      return (int) n;
    }

    @Override
    FileOperation begin() throws IOException {
      return file().read(Gather.remaining(targets), position);
    }

    @Override
    @Nullable Done ended(FileOperation operation, long result) throws IOException {
      requireMore(result);
      position += Gather.into(targets, operation.bytes());
      return isDone();
    }

    @Override
    public String toString() {
      return "all bytes at " + position + " of " + file().path();
    }
  }

  /** {@link AsyncFile#writeAllAt}. */
  static final class WriteAll extends FileFuture<Done> {
    private final AsyncFile handle;
    private final ByteBuffer[] sources;
    private long position;

    WriteAll(AsyncFile handle, long position, ByteBuffer[] sources) {
      super(handle);
      this.handle = handle;
      this.position = position;
      this.sources = sources;
    }

    @Override
    @Nullable Done now() {
      handle.requireWritable();
      return Gather.remaining(sources) == 0 ? Done.DONE : null;
    }

    @Override
    FileOperation begin() throws IOException {
      return file().write(sources, position);
    }

    @Override
    @Nullable Done ended(FileOperation operation, long result) {
      position += result;
      return Gather.remaining(sources) == 0 ? Done.DONE : null;
    }

    @Override
    public String toString() {
      return "the end of a write to " + file().path();
    }
  }
}
