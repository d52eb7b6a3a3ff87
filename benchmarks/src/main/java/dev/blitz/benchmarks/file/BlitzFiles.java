package dev.blitz.benchmarks.file;

import dev.blitz.benchmarks.harness.Fixture;
import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.bytes.Bytes;
import dev.blitz.io.fs.AsyncFile;
import dev.blitz.io.fs.FileOption;
import dev.blitz.io.fs.FileTree;
import dev.blitz.io.future.Future;
import dev.blitz.io.future.Futures;
import dev.blitz.io.task.JoinHandle;
import dev.blitz.io.task.Task;
import dev.blitz.io.task.TaskScope;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The subject, on one backend. */
final class BlitzFiles {
  private final Supplier<FileWorld> world;
  private final String backend;

  BlitzFiles(Supplier<FileWorld> world, String backend) {
    this.world = world;
    this.backend = backend;
  }

  private abstract class OnRuntime implements Fixture {
    final BlitzRuntime runtime =
        BlitzRuntime.builder().workers(FileSizes.WORKERS).backend(backend).name("bench").build();
    final FileWorld files = world.get();

    @Override
    public void tearDown() throws Exception {
      runtime.close();
    }
  }

  Fixture reads(int depth) throws Exception {
    return reads(depth, StandardOpenOption.READ);
  }

  Fixture directReads(int depth) throws Exception {
    return reads(depth, FileOption.DIRECT);
  }

  private Fixture reads(int depth, OpenOption option) throws Exception {
    return new OnRuntime() {
      private final AsyncFile file = runtime.run(() -> AsyncFile.open(files.big(), option).await());

      @Override
      public long run() throws Exception {
        int each = files.sizes.reads() / depth;
        return runtime.run(() -> {
          List<JoinHandle<Long>> readers = new ArrayList<>();
          for (int i = 0; i < depth; i++) {
            readers.add(Task.spawn(reader(files.places(each, i))));
          }
          long sum = 0;
          for (var reader : readers) {
            sum += reader.await();
          }
          return sum;
        });
      }

      private Future<Long> reader(long[] places) {
        var buffer = ByteBuffer.allocateDirect(FileSizes.PAGE);
        var sum = new long[2]; // where it is, what it has
        return Futures.loop(() ->
                file.readAt(places[(int) sum[0]], buffer.clear())
                    .andThen(n -> {
                      sum[1] += n + buffer.get(0);
                      return ++sum[0] == places.length ? Futures.stop() : Futures.more();
                    }))
            .map(done -> sum[1]);
      }
    };
  }

  Fixture copy() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        Path to = files.copy("blitz-" + backend);
        runtime.run(() -> {
          try (var in = AsyncFile.open(files.big()).await();
              var out = AsyncFile.create(to).await()) {
            Bytes.copy(in, out).await();
          }
        });
        return Files.size(to);
      }
    };
  }

  Fixture copyTree() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        Path to = files.copy("blitz-tree-" + backend);
        runtime.run(() -> {
          FileTree.deleteIfExists(to).await();
          FileTree.copy(files.big(), to).await();
        });
        return Files.size(to);
      }
    };
  }

  Fixture smallFiles() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        return runtime.run(() -> {
          long sum = 0;
          for (int n :
              TaskScope.map(
                  files.small(), FileSizes.DEPTH, p -> AsyncFile.readAll(p).await().length)) {
            sum += n;
          }
          return sum;
        });
      }
    };
  }

  Fixture lines() {
    return new OnRuntime() {
      @Override
      public long run() throws Exception {
        return runtime.run(() -> {
          long sum = 0;
          try (var lines = AsyncFile.lines(files.big())) {
            for (String line : lines) {
              sum += line.length() + 1;
            }
          }
          return sum;
        });
      }
    };
  }
}
