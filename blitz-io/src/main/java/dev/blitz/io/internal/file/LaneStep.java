package dev.blitz.io.internal.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An operation on a file that moves no bytes. */
final class LaneStep extends LaneOperation {
  private final Step step;
  private final boolean changes;

  /** What is done. */
  @FunctionalInterface
  interface Step {
    /** Does it, on a thread of the lane. */
    long run() throws IOException;
  }

  private LaneStep(LaneFiles lane, OpenFile file, String operation, boolean changes, Step step) {
    super(lane, file, operation);
    this.changes = changes;
    this.step = step;
  }

  static LaneStep of(LaneFiles lane, OpenFile file, String operation, boolean changes, Step step) {
    return new LaneStep(lane, file, operation, changes, step);
  }

  @Override
  long run() throws IOException {
    return step.run();
  }

  @Override
  protected boolean changesFile() {
    return changes;
  }

  @Override
  protected void giveBack() {}

  @Override
  public ByteBuffer bytes() {
    throw new UnsupportedOperationException("no bytes");
  }
}
