package dev.blitz.io.internal.file;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Gives a part of a file back that was locked. Nobody polls it. */
final class LaneUnlock extends LaneOperation {
  private final RangeLock range;
  private boolean done;
  private @Nullable Throwable failure;

  LaneUnlock(LaneFiles lane, RangeLock range) {
    super(lane, range.file(), "unlock");
    this.range = range;
  }

  @Override
  long run() {
    try {
      failure = range.unlockNow();
    } catch (Throwable t) { // an error of the machine: others would wait for this range for ever
      failure = t;
    }
    done = true;
    return 0;
  }

  /** One that was never run is not over, unless the runtime is: then so is the file. */
  @Override
  void over() {
    if (done) {
      range.over(failure);
    }
  }

  @Override
  protected boolean changesFile() {
    return false;
  }

  @Override
  protected void giveBack() {}

  @Override
  public ByteBuffer bytes() {
    throw new UnsupportedOperationException("no bytes");
  }
}
