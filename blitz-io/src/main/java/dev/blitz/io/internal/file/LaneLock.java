package dev.blitz.io.internal.file;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Asks once whether a part of a file can be locked; does not wait for that. Abandoned, it gives
 * back what it was granted.
 */
public final class LaneLock extends LaneOperation {
  /** Somebody else has it. */
  public static final long TAKEN = 0;

  /** It is locked. */
  public static final long GRANTED = 1;

  private final OpenFile file;
  private final RangeLock range;
  private boolean granted;
  private boolean kept;

  LaneLock(LaneFiles lane, RangeLock range) {
    super(lane, range.file(), "lock");
    this.file = range.file();
    this.range = range;
  }

  @Override
  long run() throws IOException {
    granted = file.tryLockNow(range);
    return granted ? GRANTED : TAKEN;
  }

  /** Its owner goes on with the range. */
  public void keep() {
    kept = true;
  }

  @Override
  protected boolean changesFile() {
    return false;
  }

  @Override
  protected void giveBack() {
    if (!kept) {
      range.leave(granted);
    }
  }

  @Override
  public ByteBuffer bytes() {
    throw new UnsupportedOperationException("no bytes");
  }
}
