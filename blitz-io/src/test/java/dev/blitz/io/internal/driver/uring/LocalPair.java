package dev.blitz.io.internal.driver.uring;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Two connected local sockets, as descriptors. */
final class LocalPair implements AutoCloseable {
  final int reader;
  private final int writer;
  private boolean writerOpen = true;
  private boolean readerOpen = true;

  LocalPair() {
    try (var arena = Arena.ofConfined()) {
      MemorySegment pair = arena.allocate(8, 4);
      int result = UringCalls.socketPair(pair);
      if (result < 0) {
        throw new UringException("socketpair", -result);
      }
      reader = MemoryAbi.getInt(pair, 0);
      writer = MemoryAbi.getInt(pair, 4);
    }
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
      UringCalls.close(writer);
    }
  }

  void readerIsClosed() {
    readerOpen = false;
  }

  @Override
  public void close() {
    closeWriter();
    if (readerOpen) {
      readerOpen = false;
      UringCalls.close(reader);
    }
  }
}
