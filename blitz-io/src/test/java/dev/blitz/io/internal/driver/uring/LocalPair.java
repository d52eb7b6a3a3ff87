package dev.blitz.io.internal.driver.uring;

import dev.blitz.io.internal.driver.posix.PosixCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Two connected local sockets, as descriptors. */
final class LocalPair implements AutoCloseable {
  final int reader;
  private final int writer;
  private boolean writerOpen = true;
  private boolean readerOpen = true;

  LocalPair() {
    int[] pair = UringFindings.localPair();
    reader = pair[0];
    writer = pair[1];
  }

  /** Sends through a ring of its own, so that the ring under test sees nothing of it. */
  void send(byte[] bytes) {
    try (var ring = new UringRing(1, 2);
        var arena = Arena.ofConfined()) {
      MemorySegment copy = arena.allocate(bytes.length);
      copy.copyFrom(MemorySegment.ofArray(bytes));
      long at = ring.claim();
      SubmissionAbi.send(ring.entries(), at, writer, copy.address(), bytes.length, 0);
      ring.push();
      ring.submitAndWait(Long.MAX_VALUE);
      if (ring.ready() != 1 || ring.result(0) != bytes.length) {
        throw new AssertionError("sent " + ring.result(0) + " of " + bytes.length);
      }
    }
  }

  void closeWriter() {
    if (writerOpen) {
      writerOpen = false;
      PosixCalls.close(writer);
    }
  }

  @Override
  public void close() {
    closeWriter();
    if (readerOpen) {
      readerOpen = false;
      PosixCalls.close(reader);
    }
  }
}
