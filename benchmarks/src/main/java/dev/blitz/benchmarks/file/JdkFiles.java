package dev.blitz.benchmarks.file;

import dev.blitz.benchmarks.harness.Fixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** The peers: a FileChannel on a thread, and on virtual threads; a BufferedReader. */
final class JdkFiles {
  private final Supplier<FileWorld> world;

  JdkFiles(Supplier<FileWorld> world) {
    this.world = world;
  }

  /** The JDK's own option, which no module promises: a compiler warns of its name. */
  private static OpenOption direct() {
    try {
      return (OpenOption)
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getField("DIRECT").get(null);
    } catch (ReflectiveOperationException e) {
      throw new UnsupportedOperationException("this JDK reads through the page cache only", e);
    }
  }

  private static long read(FileChannel channel, long[] places) throws IOException {
    var buffer = // at a whole page: a direct read wants that
        ByteBuffer.allocateDirect(2 * FileSizes.PAGE)
            .alignedSlice(FileSizes.PAGE)
            .slice(0, FileSizes.PAGE);
    long sum = 0;
    for (long place : places) {
      sum += channel.read(buffer.clear(), place) + buffer.get(0);
    }
    return sum;
  }

  private abstract class OnFiles implements Fixture {
    final FileWorld files = world.get();
  }

  Fixture reads(int depth) {
    return reads(depth, StandardOpenOption.READ);
  }

  Fixture directReads(int depth) {
    return reads(depth, direct());
  }

  /** One after the other, on the caller's thread. */
  private Fixture reads(int depth, OpenOption option) {
    return new OnFiles() {
      @Override
      public long run() throws Exception {
        long sum = 0;
        try (var channel = FileChannel.open(files.big(), StandardOpenOption.READ, option)) {
          for (int i = 0; i < depth; i++) {
            sum += read(channel, files.places(files.sizes.reads() / depth, i));
          }
        }
        return sum;
      }
    };
  }

  Fixture reads(int depth, Supplier<ExecutorService> threads) {
    return reads(depth, threads, StandardOpenOption.READ);
  }

  Fixture directReads(int depth, Supplier<ExecutorService> threads) {
    return reads(depth, threads, direct());
  }

  /** So many threads at a time. */
  private Fixture reads(int depth, Supplier<ExecutorService> threads, OpenOption option) {
    return new OnFiles() {
      @Override
      public long run() throws Exception {
        long sum = 0;
        try (var channel = FileChannel.open(files.big(), StandardOpenOption.READ, option);
            var executor = threads.get()) {
          List<Future<Long>> readers = new ArrayList<>();
          for (int i = 0; i < depth; i++) {
            long[] places = files.places(files.sizes.reads() / depth, i);
            readers.add(executor.submit(() -> read(channel, places)));
          }
          for (var reader : readers) {
            sum += reader.get();
          }
        }
        return sum;
      }
    };
  }

  Fixture copyByBuffer() {
    return new OnFiles() {
      @Override
      public long run() throws Exception {
        Path to = files.copy("channel");
        var buffer = ByteBuffer.allocateDirect(FileSizes.COPY_BUFFER);
        try (var in = FileChannel.open(files.big());
            var out =
                FileChannel.open(
                    to,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
          while (in.read(buffer.clear()) >= 0) {
            for (buffer.flip(); buffer.hasRemaining(); ) {
              out.write(buffer);
            }
          }
        }
        return Files.size(to);
      }
    };
  }

  Fixture copyByFiles() {
    return new OnFiles() {
      @Override
      public long run() throws Exception {
        Path to = files.copy("files");
        Files.copy(files.big(), to, StandardCopyOption.REPLACE_EXISTING);
        return Files.size(to);
      }
    };
  }

  Fixture smallFiles() {
    return new OnFiles() {
      @Override
      public long run() throws Exception {
        long sum = 0;
        for (Path path : files.small()) {
          sum += Files.readAllBytes(path).length;
        }
        return sum;
      }
    };
  }

  Fixture smallFilesOnVirtualThreads() {
    return new OnFiles() {
      @Override
      public long run() throws Exception {
        var room = new Semaphore(FileSizes.DEPTH);
        long sum = 0;
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
          List<Future<Integer>> reads = new ArrayList<>();
          for (Path path : files.small()) {
            room.acquire();
            reads.add(
                executor.submit(() -> {
                  try {
                    return Files.readAllBytes(path).length;
                  } finally {
                    room.release();
                  }
                }));
          }
          for (var read : reads) {
            sum += read.get();
          }
        }
        return sum;
      }
    };
  }

  Fixture lines() {
    return new OnFiles() {
      @Override
      public long run() throws Exception {
        long sum = 0;
        try (var reader = Files.newBufferedReader(files.big(), StandardCharsets.UTF_8)) {
          for (String line; (line = reader.readLine()) != null; ) {
            sum += line.length() + 1;
          }
        }
        return sum;
      }
    };
  }
}
