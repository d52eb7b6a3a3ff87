package dev.blitz.io.fs;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.current.Current;
import dev.blitz.io.internal.file.FileDriver;
import dev.blitz.io.internal.services.Services;
import dev.blitz.io.internal.wait.Watched;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An operation of the runtime in which the future was made, or else where it is polled first.
 *
 * @param <T> the type of its result
 */
final class FileHost<T> implements IoFuture<T> {
  private final Begin<T> begin;
  private @Nullable FileDriver files;
  private @Nullable IoFuture<? extends T> begun;
  private boolean over;

  /** Makes the future of an operation. */
  @FunctionalInterface
  interface Begin<T> {
    /** Nothing is done yet. */
    IoFuture<? extends T> on(FileDriver files);
  }

  private FileHost(@Nullable FileDriver files, Begin<T> begin) {
    this.files = files;
    this.begin = begin;
  }

  static <T> FileHost<T> on(Begin<T> begin) {
    return new FileHost<>(Current.home() == null ? null : current(), begin);
  }

  /** As {@link #on}, for the user: a runtime in development tells if nobody polls it. */
  static <T> IoFuture<T> watched(Begin<T> begin) {
    return Watched.io(on(begin));
  }

  /** The same once more, on the same runtime. */
  FileHost<T> again() {
    return new FileHost<>(files, begin);
  }

  private static FileDriver current() {
    return Services.required("a file operation").files();
  }

  @Override
  public @Nullable T poll(Context cx) throws IOException {
    IoFuture<? extends T> now = begun;
    if (now == null) {
      if (over) {
        throw new IllegalStateException("a file operation was awaited twice; make a new one");
      }
      FileDriver there = files;
      if (there == null) {
        there = current();
        files = there;
      }
      now = begin.on(there);
      begun = now;
    }
    T value = null;
    boolean failed = true;
    try {
      value = now.poll(cx);
      failed = false;
    } finally {
      if (failed || value != null) {
        over = true;
        begun = null;
      }
    }
    return value;
  }

  @Override
  public void drop() {
    over = true;
    IoFuture<? extends T> now = begun;
    if (now != null) {
      now.drop(); // one that overflows can be made again
      begun = null;
    }
  }

  @Override
  public String toString() {
    return begun == null ? "a file operation" : begun.toString();
  }
}
