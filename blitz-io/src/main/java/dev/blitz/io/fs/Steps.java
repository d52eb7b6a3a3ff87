package dev.blitz.io.fs;

import dev.blitz.io.future.Done;
import dev.blitz.io.internal.file.FileOperation;
import dev.blitz.io.internal.file.LaneMap;
import java.io.IOException;

/** What is done with an open file besides reading and writing. */
final class Steps {
  private Steps() {}

  /** {@link AsyncFile#size}. */
  static final class Size extends FileFuture<Long> {
    Size(AsyncFile handle) {
      super(handle);
    }

    @Override
    FileOperation begin() throws IOException {
      return file().size();
    }

    @Override
    Long ended(FileOperation operation, long result) {
      return result;
    }

    @Override
    public String toString() {
      return "the size of " + file().path();
    }
  }

  /** {@link AsyncFile#setLength}. */
  static final class SetLength extends FileFuture<Done> {
    private final AsyncFile handle;
    private final long length;

    SetLength(AsyncFile handle, long length) {
      super(handle);
      this.handle = handle;
      this.length = length;
    }

    @Override
    FileOperation begin() throws IOException {
      handle.requireWritable();
      return file().setLength(length);
    }

    @Override
    Done ended(FileOperation operation, long result) {
      return Done.DONE;
    }

    @Override
    public String toString() {
      return "the new length of " + file().path();
    }
  }

  /** {@link AsyncFile#map}. */
  static final class Map extends FileFuture<FileMapping> {
    private final AsyncFile handle;
    private final long position;
    private final long length;

    Map(AsyncFile handle, long position, long length) {
      super(handle);
      this.handle = handle;
      this.position = position;
      this.length = length;
    }

    @Override
    FileOperation begin() throws IOException {
      handle.requireReadable();
      return file().map(position, length);
    }

    @Override
    FileMapping ended(FileOperation operation, long result) {
      var mapped = (LaneMap) operation;
      var mapping = new FileMapping(file().path(), position, mapped.memory(), mapped.arena());
      mapped.take();
      return mapping;
    }

    @Override
    public String toString() {
      return "the mapping of " + file().path();
    }
  }

  /** {@link AsyncFile#force}. */
  static final class Force extends FileFuture<Done> {
    private final boolean metadata;

    Force(AsyncFile handle, boolean metadata) {
      super(handle);
      this.metadata = metadata;
    }

    @Override
    FileOperation begin() throws IOException {
      return file().force(metadata);
    }

    @Override
    Done ended(FileOperation operation, long result) {
      return Done.DONE;
    }

    @Override
    public String toString() {
      return "the disk that keeps " + file().path();
    }
  }
}
