package dev.blitz.io.internal.file;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.blocking.BlockingPool;
import dev.blitz.io.internal.driver.EndpointRegistry;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;

/** Files by the means of the JDK, on the lane's threads. For every file system there is. */
public final class LaneFiles implements FileDriver {
  private final BlockingPool pool;
  private final BlockingPool closes;
  private final EndpointRegistry<OpenFile> open = new EndpointRegistry<>();
  private final StagingBuffers staging = new StagingBuffers();

  /** {@code pool}: the lane's; {@code closes}: for closes that end the calls which fill it. */
  public LaneFiles(BlockingPool pool, BlockingPool closes) {
    this.pool = pool;
    this.closes = closes;
  }

  BlockingPool pool() {
    return pool;
  }

  StagingBuffers staging() {
    return staging;
  }

  /** The files that are open. */
  EndpointRegistry<OpenFile> registry() {
    return open;
  }

  @Override
  public <T> IoFuture<T> call(
      String operation, Path path, Call<? extends T> call, Discard<? super T> discard) {
    return new OperationFuture<T, LaneCall<T>>() {
      @Override
      protected LaneCall<T> begin() {
        var begun = new LaneCall<T>(LaneFiles.this, operation, path, call, discard);
        begun.begin();
        return begun;
      }

      @Override
      protected T value(LaneCall<T> ended, long result) {
        return ended.take();
      }

      @Override
      public String toString() {
        return "the " + operation + " of " + path;
      }
    };
  }

  @Override
  public IoFuture<OpenFile> open(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
    Set<OpenOption> wanted = Set.copyOf(options);
    FileAttribute<?>[] given = attributes.clone();
    return call("open", path, () -> openNow(path, wanted, given), OpenFile::close);
  }

  private OpenFile openNow(Path path, Set<OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    FileChannel channel = FileChannel.open(path, options, attributes);
    boolean adopted = false;
    try {
      boolean append = options.contains(StandardOpenOption.APPEND);
      OpenFile file = open.adopt(new LaneFile(this, path, channel, append));
      adopted = true;
      return file;
    } finally {
      if (!adopted) {
        channel.close();
      }
    }
  }

  @Override
  public IoFuture<FileStatus> status(Path path, boolean followLinks) {
    return call("stat", path, () -> Statuses.read(path, followLinks));
  }

  @Override
  public IoFuture<Done> createDirectory(Path directory, FileAttribute<?>... attributes) {
    FileAttribute<?>[] given = attributes.clone();
    return step("create directory", directory, () -> Files.createDirectory(directory, given));
  }

  @Override
  public IoFuture<Done> delete(Path path) {
    return step("delete", path, () -> Files.delete(path));
  }

  @Override
  public IoFuture<Done> rename(Path source, Path target) {
    return step("rename", source, () -> Files.move(source, target, StandardCopyOption.ATOMIC_MOVE));
  }

  @Override
  public IoFuture<Done> link(Path link, Path existing) {
    return step("link", link, () -> Files.createLink(link, existing));
  }

  @Override
  public IoFuture<Done> symbolicLink(Path link, Path target) {
    return step("symbolic link", link, () -> Files.createSymbolicLink(link, target));
  }

  /** A call without a result. */
  @FunctionalInterface
  private interface Step {
    void make() throws IOException;
  }

  private IoFuture<Done> step(String operation, Path path, Step step) {
    return call(
        operation,
        path,
        () -> {
          step.make();
          return Done.DONE;
        });
  }

  @Override
  public void release(Runnable call) {
    release(pool, call);
  }

  /** As {@link #release}, of what calls on all threads of the lane may wait for. */
  void releaseAtOnce(Runnable call) {
    release(closes, call);
  }

  /** On this thread, if there is no other left. */
  private static void release(BlockingPool lane, Runnable call) {
    try {
      lane.submit(
              () -> {
                call.run();
                return Done.DONE;
              },
              true,
              null)
          .detach();
    } catch (RejectedExecutionException e) {
      call.run();
    }
  }

  /** Closes every file that is open, and those that are yet to come. */
  public void closeAll() {
    open.closeAll();
  }
}
