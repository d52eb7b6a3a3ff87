package dev.blitz.io.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.file.DirectoryChanges.Change;
import dev.blitz.testkit.OnceIsEnough;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.Watchable;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@OnceIsEnough
class ServiceChangesTest {
  private static final Path DIRECTORY = Path.of("/watched");

  /** The last change of a directory that is gone. */
  private record Deleted(Path context) implements WatchEvent<Path> {
    @Override
    public WatchEvent.Kind<Path> kind() {
      return StandardWatchEventKinds.ENTRY_DELETE;
    }

    @Override
    public int count() {
      return 1;
    }
  }

  private static final class GoneKey implements WatchKey {
    @Override
    public boolean isValid() {
      return false;
    }

    @Override
    public List<WatchEvent<?>> pollEvents() {
      return List.of(new Deleted(Path.of("f")));
    }

    @Override
    public boolean reset() {
      return false;
    }

    @Override
    public void cancel() {}

    @Override
    public Watchable watchable() {
      return DIRECTORY;
    }
  }

  /** It has one key, once. */
  private static final class OneKey implements WatchService {
    private boolean taken;

    @Override
    public WatchKey take() {
      if (taken) {
        throw new AssertionError("this would wait for ever: its only key is not valid any more");
      }
      taken = true;
      return new GoneKey();
    }

    @Override
    public @Nullable WatchKey poll() {
      throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable WatchKey poll(long timeout, TimeUnit unit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  private static <T> IoFuture<T> atOnce(FileDriver.Call<T> call) {
    return new IoFuture<>() {
      @Override
      public T poll(Context cx) throws IOException {
        return call.make();
      }
    };
  }

  @Test
  void aDirectoryThatIsGone_endsAfterItsLastChanges() throws Exception {
    var changes =
        new ServiceChanges(DIRECTORY, new OneKey(), ServiceChangesTest::atOnce, closed -> {});
    assertThat(changes.poll(() -> {}))
        .containsExactly(new Change(DirectoryChanges.Kind.DELETED, DIRECTORY.resolve("f")));
    assertThat(changes.poll(() -> {})).isEmpty();
    assertThat(changes.poll(() -> {})).isEmpty();
  }
}
