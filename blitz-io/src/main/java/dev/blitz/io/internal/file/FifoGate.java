package dev.blitz.io.internal.file;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Lets a thread go that waits inside an open of a FIFO, when nobody asks for the open any more: it
 * would stay there until somebody opens the other end, and so would the runtime.
 *
 * <p>The state goes from {@code OUTSIDE} to {@code INSIDE} (the thread, before it opens) to {@code
 * OVER} (the thread, after it). Who lets it go makes {@code OVER} of {@code OUTSIDE}, and of {@code
 * INSIDE} the channel that has opened the other end: it stays open until the thread has left, which
 * may not have got into the kernel yet, and the thread closes it.
 */
final class FifoGate {
  private static final Object OUTSIDE = new Object();
  private static final Object INSIDE = new Object();
  private static final Object OVER = new Object();

  private final AtomicReference<Object> state = new AtomicReference<>(OUTSIDE);

  /** Opens, on a thread that may wait. */
  <T> T pass(FileDriver.Call<? extends T> open) throws IOException {
    if (!state.compareAndSet(OUTSIDE, INSIDE)) {
      throw new ClosedChannelException(); // nobody hears it
    }
    try {
      return open.make();
    } finally {
      if (!state.compareAndSet(INSIDE, OVER) && state.get() instanceof FileChannel otherEnd) {
        close(otherEnd);
      }
    }
  }

  /** Lets the thread go; {@code fifo} is in use. Without descriptors, the next writer does it. */
  void letGo(KernelFile fifo) {
    if (state.compareAndSet(OUTSIDE, OVER) || state.get() != INSIDE) {
      return;
    }
    FileChannel otherEnd;
    try {
      otherEnd = fifo.openBothEnds();
    } catch (IOException e) {
      return;
    }
    if (!state.compareAndSet(INSIDE, otherEnd)) {
      close(otherEnd);
    }
  }

  private static void close(FileChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // it was written to by nobody
    }
  }
}
