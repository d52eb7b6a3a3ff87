package dev.blitz.io.internal.file;

import dev.blitz.io.future.Done;
import dev.blitz.io.future.Futures;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.future.ThrowingSupplier;
import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.blocking.BlockingPool;
import dev.blitz.io.internal.driver.EndpointRegistry;
import dev.blitz.io.internal.driver.Endpoints;
import dev.blitz.io.internal.timer.RuntimeTimers;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Files on the lane's threads: by the system's calls where this library may make them, else by the
 * means of the JDK, for every file system there is.
 */
public final class LaneFiles implements FileDriver {
  private final BlockingPool pool;
  private final BlockingPool pipes;
  private final BlockingPool closes;
  private final String architecture;
  private final BooleanSupplier isNative;
  private final Supplier<Endpoints> endpoints;
  private final RuntimeTimers timers;
  private final EndpointRegistry<OpenFile> open = new EndpointRegistry<>();
  private final StagingBuffers staging = new StagingBuffers();
  private final QuickReads quick;
  private final Set<ServiceChanges> watches = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * Starts nothing.
   *
   * @param pool for calls that wait for a disk
   * @param pipes for those that may wait for ever
   * @param closes for closes that end such calls
   * @param isNative whether native code may be called; asked with the first file
   * @param endpoints of the runtime's backend, for what can be waited for
   * @param timers for what is asked for again
   */
  public LaneFiles(
      BlockingPool pool,
      BlockingPool pipes,
      BlockingPool closes,
      String architecture,
      BooleanSupplier isNative,
      Supplier<Endpoints> endpoints,
      RuntimeTimers timers) {
    this.pool = pool;
    this.pipes = pipes;
    this.closes = closes;
    this.architecture = architecture;
    this.quick = new QuickReads(architecture);
    this.isNative = isNative;
    this.endpoints = endpoints;
    this.timers = timers;
  }

  RuntimeTimers timers() {
    return timers;
  }

  BlockingPool pool() {
    return pool;
  }

  BlockingPool pipes() {
    return pipes;
  }

  String architecture() {
    return architecture;
  }

  StagingBuffers staging() {
    return staging;
  }

  QuickReads quick() {
    return quick;
  }

  /** The files that are open. */
  EndpointRegistry<OpenFile> registry() {
    return open;
  }

  @Override
  public <T> IoFuture<T> call(
      String operation, Path path, Call<? extends T> call, Discard<? super T> discard) {
    return call(pool, operation, path, call, discard);
  }

  private static <T> IoFuture<T> call(
      BlockingPool lane,
      String operation,
      Path path,
      Call<? extends T> call,
      Discard<? super T> discard) {
    return new OperationFuture<T, LaneCall<T>>() {
      @Override
      protected LaneCall<T> begin() {
        var begun = new LaneCall<T>(lane, operation, path, call, discard);
        begun.begin();
        return begun;
      }

      @Override
      protected T value(LaneCall<T> ended) {
        return ended.take();
      }

      @Override
      public String toString() {
        return "the " + operation + " of " + path;
      }
    };
  }

  /**
   * One end of a FIFO is not open before the other is: what is no file, and no directory, is opened
   * where waiting keeps no file waiting.
   */
  @Override
  public IoFuture<OpenFile> open(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
    Set<OpenOption> wanted = Set.copyOf(options);
    FileAttribute<?>[] given = attributes.clone();
    IoFuture<Optional<OpenFile>> ordinary =
        call(
            pool,
            "open",
            path,
            () -> openOrdinary(path, wanted, given),
            opened -> opened.ifPresent(OpenFile::discard));
    return ordinary.andThen(opened ->
        opened.isPresent()
            ? handedOn(opened.get(), file -> Futures.ready(file))
            : call(
                pipes,
                "open",
                path,
                () -> adopt(path, jdk(path, wanted, given)),
                OpenFile::discard));
  }

  /** Opens what is known to be a FIFO. */
  IoFuture<OpenFile> openFifo(Path path, Set<? extends OpenOption> options, FifoGate gate) {
    Set<OpenOption> wanted = Set.copyOf(options);
    return call(
        pipes,
        "open",
        path,
        () -> gate.pass(() -> adopt(path, jdk(path, wanted))),
        OpenFile::discard);
  }

  /** Makes a file of a channel, which is the file's if that does not throw. */
  @FunctionalInterface
  interface Adoption {
    OpenFile of(NativeChannel channel);
  }

  /** Opens what is read and written directly. */
  IoFuture<OpenFile> openDirect(Path path, PathBytes name, OpenMode mode, Adoption adoption) {
    return call(
        pool,
        "open",
        path,
        () -> {
          NativeChannel channel = NativeChannel.open(path, name, mode, architecture);
          if (channel == null) {
            throw new UnsupportedOperationException(path + " is no file");
          }
          OpenFile file = null;
          try {
            file = adoption.of(channel);
          } finally {
            if (file == null) {
              channel.close();
            }
          }
          return file.adopted();
        },
        OpenFile::discard);
  }

  /** Empty, if it is not. */
  private Optional<OpenFile> openOrdinary(
      Path path, Set<OpenOption> options, FileAttribute<?>... attributes) throws IOException {
    boolean here = path.getFileSystem() == FileSystems.getDefault();
    LaneChannel channel = null;
    PathBytes name = here && isNative.getAsBoolean() ? PathBytes.of(path) : null;
    OpenMode mode = name == null ? null : OpenMode.of(options, attributes);
    if (name != null && mode != null) {
      channel = NativeChannel.open(path, name, mode, architecture);
    } else if (!isSpecial(path)) {
      channel = jdk(path, options, attributes);
    }
    return channel == null ? Optional.empty() : handedOn(adopt(path, channel), Optional::of);
  }

  /** How a file is handed on, which is closed if there is no memory for that. */
  private static <T> T handedOn(OpenFile file, Function<OpenFile, T> way) {
    try {
      return way.apply(file);
    } catch (Throwable t) {
      file.discard();
      throw t;
    }
  }

  @Override
  public <T> IoFuture<T> callOpening(String operation, Path path, Call<? extends T> call) {
    IoFuture<Optional<T>> ordinary =
        call(operation, path, () -> isSpecial(path) ? Optional.empty() : Optional.of(call.make()));
    return ordinary.andThen(done ->
        done.isPresent()
            ? Futures.ready(done.get())
            : call(pipes, operation, path, call, value -> {}));
  }

  private static boolean isSpecial(Path path) {
    if (path.getFileSystem() != FileSystems.getDefault()) {
      return false;
    }
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).isOther();
    } catch (IOException e) {
      return false; // which the open will tell
    }
  }

  private static LaneChannel jdk(Path path, Set<OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    FileChannel channel = FileChannel.open(path, options, attributes);
    boolean made = false;
    try {
      var jdk = new JdkChannel(channel, options.contains(StandardOpenOption.APPEND));
      made = true;
      return jdk;
    } finally {
      if (!made) {
        channel.close();
      }
    }
  }

  /** The owner of {@code channel}, which is closed, once, if it cannot be had. */
  OpenFile adopt(Path path, LaneChannel channel) throws IOException {
    LaneFile file = null;
    try {
      file = new LaneFile(this, path, channel);
    } finally {
      if (file == null) {
        channel.close();
      }
    }
    return file.adopted();
  }

  @Override
  public IoFuture<byte[]> readAll(Path path, int limit, Call<byte[]> otherwise) {
    return new WholeRead(
        () -> quick.read(path, limit),
        pipe -> {
          if (pipe != null) {
            return call(pipes, "read", path, () -> pipe.readAll(limit), bytes -> {});
          }
          return callOpening(
              "read",
              path,
              () -> {
                byte[] bytes = otherwise.make();
                learn(path);
                return bytes;
              });
        });
  }

  @Override
  public IoFuture<DirectoryChanges> watch(Path directory) {
    return call("watch", directory, () -> watchNow(directory), DirectoryChanges::close);
  }

  private DirectoryChanges watchNow(Path directory) throws IOException {
    PathBytes name = isNative.getAsBoolean() ? PathBytes.of(directory) : null;
    Endpoints here = name == null ? null : endpoints.get(); // first: there may be no backend
    if (name != null && here != null && here.takesDescriptors()) {
      int fd = InotifyCalls.watch(name);
      if (fd < 0) {
        throw KernelErrors.of(-fd, "", directory.toString(), null);
      }
      return new InotifyChanges(directory, here.adopt(fd)); // closed if that fails
    }
    WatchService service = directory.getFileSystem().newWatchService();
    boolean watched = false;
    try {
      directory.register(
          service,
          StandardWatchEventKinds.ENTRY_CREATE,
          StandardWatchEventKinds.ENTRY_MODIFY,
          StandardWatchEventKinds.ENTRY_DELETE);
      var changes =
          new ServiceChanges(
              directory,
              service,
              take -> call(pipes, "watch", directory, take, taken -> {}),
              watches::remove);
      watches.add(changes);
      watched = true;
      if (closed) {
        changes.close();
      }
      return changes;
    } finally {
      if (!watched) {
        service.close();
      }
    }
  }

  @Override
  public IoFuture<FileStatus> status(Path path, boolean followLinks) {
    return status(path, followLinks, () -> statusByThread(path, followLinks));
  }

  /** {@code other}: how it is found out of what has to be waited for. */
  IoFuture<FileStatus> status(Path path, boolean followLinks, FirstLook.Other<FileStatus> other) {
    return new FirstLook<>(
        () -> quick.status(path, followLinks),
        () -> quick.isUnknown(path) ? statusByThread(path, followLinks) : other.future());
  }

  private IoFuture<FileStatus> statusByThread(Path path, boolean followLinks) {
    return call(
        "stat",
        path,
        () -> {
          learn(path);
          return Statuses.read(path, followLinks);
        });
  }

  private void learn(Path path) {
    if (isNative.getAsBoolean()) {
      quick.learn(path);
    }
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

  /** Once; on this thread, if there is no other left, or no memory to call one. */
  private static void release(BlockingPool lane, Runnable call) {
    Once once = null;
    try {
      once = new Once(call);
      lane.submit(once, true, null).detach();
    } catch (RuntimeException | Error e) {
      if (once == null) {
        call.run();
      } else {
        once.get(); // which the lane may do all the same
      }
    }
  }

  /** A call that is made by whoever comes first. */
  private static final class Once implements ThrowingSupplier<Done> {
    private final AtomicReference<@Nullable Runnable> call;

    Once(Runnable call) {
      this.call = new AtomicReference<>(call);
    }

    @Override
    public Done get() {
      Runnable mine = call.getAndSet(null);
      if (mine != null) {
        mine.run();
      }
      return Done.DONE;
    }
  }

  /** Closes every file that is open, and every watch, and those that are yet to come. */
  public void closeAll() {
    closed = true;
    open.closeAll();
    watches.forEach(LaneFiles::close);
  }

  private static void close(ServiceChanges watch) {
    try {
      watch.close();
    } catch (Throwable t) { // of somebody else's file system: the others all the same
      FailureLog.log("closing a watch with its runtime", t);
    }
  }
}
