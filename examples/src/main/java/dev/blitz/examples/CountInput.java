package dev.blitz.examples;

import dev.blitz.io.Blitz;
import dev.blitz.io.bytes.ByteReader;
import dev.blitz.io.descriptor.AsyncDescriptor;
import dev.blitz.io.future.TimedOutException;
import dev.blitz.io.task.Task;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Counts the lines that come through a pipe, and says now and then that it still waits, while no
 * thread waits. With the argument {@code -} it counts what it is fed: {@code cat log | ./blitz
 * example CountInput -}.
 *
 * <p>Shows: AsyncDescriptor.reopen, pipe, readable. Run: {@code ./blitz example CountInput}.
 */
public final class CountInput {
  private static final Duration PATIENCE = Duration.ofMillis(20);

  private CountInput() {}

  /** Counts its own input, or what a task writes slowly. */
  public static void main(String[] args) throws Exception {
    Blitz.run(() -> {
      if (args.length > 0 && args[0].equals("-")) {
        try (var input = AsyncDescriptor.reopen(0)) { // the number, and who shares it, stay as is
          IO.println(lines(input) + " lines");
        }
        return;
      }
      AsyncDescriptor[] pipe = AsyncDescriptor.pipe();
      try (var input = pipe[0]) {
        Task.spawn(() -> writeSlowly(pipe[1])).detach();
        IO.println(lines(input) + " lines");
      }
    });
  }

  private static void writeSlowly(AsyncDescriptor output) throws IOException {
    try (output) {
      for (int i = 0; i < 3; i++) {
        Task.sleep(PATIENCE.multipliedBy(3)).await();
        output.writeAll(ByteBuffer.wrap("one\ntwo\n".getBytes(StandardCharsets.UTF_8))).await();
      }
    } // its reader finds the end
  }

  private static long lines(AsyncDescriptor input) throws IOException {
    var buffer = ByteBuffer.allocateDirect(8192);
    long lines = 0;
    for (; ; ) {
      while (!isReadableSoon(input)) {
        IO.println("still waiting");
      }
      if (input.read(buffer.clear()).await() == ByteReader.EOF) {
        return lines;
      }
      for (buffer.flip(); buffer.hasRemaining(); ) {
        lines += buffer.get() == '\n' ? 1 : 0;
      }
    }
  }

  private static boolean isReadableSoon(AsyncDescriptor input) throws IOException {
    try {
      input.readable().timeout(PATIENCE).await();
      return true;
    } catch (TimedOutException e) {
      return false;
    }
  }
}
