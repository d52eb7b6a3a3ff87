package dev.blitz.io.fs;

import dev.blitz.io.BlitzRuntime;
import dev.blitz.io.TestBackends;
import dev.blitz.io.future.Futures;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Closes locks of a file at each level on the way back from the end of a stack, until one is
 * closed. A main class, because the JVM's compilers decide at whose entry a stack overflows.
 *
 * <p>Prints how many closes overflowed, and how many of those have nevertheless begun: such a lock
 * is neither held nor given back.
 */
final class DeepUnlockProgram {
  private static final int STACK_BYTES = 256 * 1024;

  /** So many walks, each with frames that end elsewhere. */
  private static final int SHIFTS = 48;

  private final FileRangeLock lock;
  private boolean closed;
  private int overflows;
  private int halfDone;

  private DeepUnlockProgram(FileRangeLock lock) {
    this.lock = lock;
  }

  public static void main(String[] args) throws Exception {
    int overflows = 0;
    int halfDone = 0;
    try (BlitzRuntime runtime = TestBackends.builder(args[0]).workers(1).build();
        AsyncFile file =
            runtime
                .run(
                    Futures.lazy(() ->
                        AsyncFile.open(
                            Path.of(args[1]), StandardOpenOption.CREATE, StandardOpenOption.WRITE)))
                .await()) {
      file.lock(SHIFTS, 1, false).await().release().await(); // what it takes is there
      for (int shift = 0; shift < SHIFTS; shift++) {
        var walk = new DeepUnlockProgram(file.lock(shift, 1, false).await());
        walk.run(shift);
        overflows += walk.overflows;
        halfDone += walk.halfDone;
      }
    }
    System.out.println("overflows: " + (overflows > 0) + ", half done: " + halfDone);
  }

  private void run(int shift) throws InterruptedException {
    var thread = new Thread(null, () -> shifted(shift, shift), "deep", STACK_BYTES);
    thread.start();
    thread.join();
  }

  /** Its frames are larger than those of the walk. */
  private long shifted(int frames, long odd) {
    return frames == 0 ? dive() : shifted(frames - 1, odd + 1) + odd;
  }

  @SuppressWarnings("InfiniteRecursion") // that is what it is for
  private int dive() {
    int levels = 0;
    try {
      levels = dive() + 1;
    } catch (StackOverflowError e) {
      // this is the end
    }
    if (!closed) {
      try {
        lock.close();
        closed = true;
      } catch (StackOverflowError e) {
        overflows++;
        countIfHalfDone();
      }
    }
    return levels;
  }

  private void countIfHalfDone() {
    try {
      if (!lock.isValid()) {
        halfDone++;
        closed = true; // a second close would do nothing
      }
    } catch (StackOverflowError e) {
      // so near to the end a close has not come far
    }
  }
}
