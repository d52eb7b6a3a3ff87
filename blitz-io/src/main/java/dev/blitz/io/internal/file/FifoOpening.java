package dev.blitz.io.internal.file;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.IoFuture;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The open of a FIFO that is to be read, which lasts until somebody has opened it to write.
 *
 * <p>The kernel tells that only to one who waits inside an open: a thread does so. But a writer may
 * have come and gone before the thread got there. He has found a reader, the one that was opened
 * already, and left bytes or a hang-up behind: that one is polled as well. Whichever comes first,
 * the one that was opened first is the file, and the thread is let go.
 */
final class FifoOpening implements IoFuture<OpenFile> {
  private final IoFuture<OpenFile> waits;
  private final FifoGate gate;
  private @Nullable KernelFile reader;
  private @Nullable FileOperation visit;
  private boolean inUse;

  /**
   * Owns {@code reader}, whose number stays its own until the thread has been let go by it, also if
   * it is closed; {@code waits} opens the same once more, through {@code gate}.
   */
  FifoOpening(KernelFile reader, IoFuture<OpenFile> waits, FifoGate gate) {
    this.reader = reader;
    this.waits = waits;
    this.gate = gate;
    this.inUse = reader.tryUse();
  }

  @Override
  public @Nullable OpenFile poll(Context cx) throws IOException {
    KernelFile first = reader;
    if (first == null) {
      throw new IllegalStateException("the open of a FIFO was already awaited or dropped");
    }
    boolean ends = true;
    try {
      if (!inUse) {
        throw first.closedMeanwhile();
      }
      OpenFile second = waits.poll(cx);
      if (second != null) {
        second.discard();
      } else if (!isVisited(first, cx)) {
        ends = false;
        return null;
      }
      StackRoom.forMany(); // to let go of it, and to close it
      letThreadGo(first);
      reader = null; // it is the caller's
      return first;
    } finally {
      if (ends) {
        drop();
      }
    }
  }

  private boolean isVisited(KernelFile first, Context cx) throws IOException {
    FileOperation visited = visit;
    if (visited == null) {
      visited = first.awaitWriter();
      visit = visited;
    }
    return visited.poll(cx.waker()) != FileOperation.PENDING;
  }

  private void letThreadGo(KernelFile first) {
    if (inUse) {
      inUse = false;
      try {
        gate.letGo(first);
      } finally {
        first.release();
      }
    }
  }

  @Override
  public void drop() {
    StackRoom.forMany(); // all of it, or nothing
    FileOperation visited = visit;
    visit = null;
    if (visited != null) {
      visited.abandon();
    }
    KernelFile first = reader;
    reader = null;
    if (first != null) {
      try {
        letThreadGo(first);
      } finally {
        first.discard();
      }
    }
    waits.drop();
  }

  @Override
  public String toString() {
    return "the writer of a FIFO";
  }
}
