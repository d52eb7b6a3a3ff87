package dev.blitz.io.fs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.LogCapture;
import dev.blitz.io.future.Done;
import dev.blitz.io.future.Outcome;
import dev.blitz.io.stream.IoSource;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.testkit.OnceIsEnough;
import dev.blitz.testkit.Strict;
import dev.blitz.testkit.Timeouts;
import java.lang.reflect.Proxy;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Watches of somebody else's file system, which may throw what it likes. */
@Strict
@OnceIsEnough
class ForeignWatchTest {
  private final AtomicInteger closes = new AtomicInteger();

  /** It cannot be closed. */
  private final class Service implements WatchService {
    @Override
    public void close() {
      closes.incrementAndGet();
      throw new IllegalStateException("no close today");
    }

    @Override
    public @Nullable WatchKey poll() {
      return null;
    }

    @Override
    public @Nullable WatchKey poll(long timeout, TimeUnit unit) {
      return null;
    }

    @Override
    public WatchKey take() {
      throw new UnsupportedOperationException();
    }
  }

  /** It has watches and nothing else. */
  private final class Foreign extends FileSystem {
    @Override
    public WatchService newWatchService() {
      return new Service();
    }

    @Override
    public FileSystemProvider provider() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean isReadOnly() {
      return true;
    }

    @Override
    public String getSeparator() {
      return "/";
    }

    @Override
    public Iterable<Path> getRootDirectories() {
      return List.of();
    }

    @Override
    public Iterable<FileStore> getFileStores() {
      return List.of();
    }

    @Override
    public Set<String> supportedFileAttributeViews() {
      return Set.of();
    }

    @Override
    public Path getPath(String first, String... more) {
      throw new UnsupportedOperationException();
    }

    @Override
    public PathMatcher getPathMatcher(String syntaxAndPattern) {
      throw new UnsupportedOperationException();
    }

    @Override
    public UserPrincipalLookupService getUserPrincipalLookupService() {
      throw new UnsupportedOperationException();
    }
  }

  private Path directory() {
    var system = new Foreign();
    return (Path)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Path.class},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "getFileSystem" -> system;
                  case "register" -> null;
                  case "toString" -> "/foreign";
                  default -> throw new UnsupportedOperationException(method.toString());
                });
  }

  @Test
  void watchesThatCannotBeClosed_keepNothingElseFromItsEnd() throws Exception {
    var runtime = BlitzRuntime.builder().workers(1).build();
    try (var log = new LogCapture()) {
      List<IoSource<FileChange>> watches = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        watches.add(runtime.run(FileTree.watch(directory())));
      }
      var begun = new CountDownLatch(1);
      JoinHandle<Done> call =
          runtime.spawnBlocking(() -> {
            begun.countDown();
            new CountDownLatch(1).await();
            return Done.DONE;
          });
      begun.await();
      assertThat(runtime.close(Timeouts.MEDIUM).clean()).isTrue();
      assertThat(call.isDone()).isTrue();
      assertThat(call.outcome()).isInstanceOf(Outcome.Cancelled.class);
      assertThat(closes).hasValue(watches.size());
      assertThat(log.messages()).hasSize(watches.size());
    }
  }
}
