package dev.blitz.io.internal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A read; it has no memory before a thread does it. */
final class LaneRead extends LaneOperation {
  private final LaneFiles lane;
  private final LaneFile file;
  private final int length;
  private final long position;
  private @Nullable ByteBuffer bytes;

  LaneRead(LaneFiles lane, LaneFile file, int length, long position) {
    super(lane, file, "read", file.path());
    this.lane = lane;
    this.file = file;
    this.length = length;
    this.position = position;
  }

  @Override
  long run() throws IOException {
    ByteBuffer target = lane.staging().take(length);
    bytes = target;
    int n = file.readInto(target, position);
    target.flip();
    return n;
  }

  @Override
  public ByteBuffer bytes() {
    return Objects.requireNonNull(bytes, "bytes");
  }

  @Override
  protected boolean changesFile() {
    return false;
  }

  @Override
  protected void giveBack() {
    ByteBuffer mine = bytes;
    bytes = null;
    if (mine != null) {
      lane.staging().giveBack(mine);
    }
  }
}
