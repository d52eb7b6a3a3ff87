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
    super(lane, file, "read");
    this.lane = lane;
    this.file = file;
    this.length = length;
    this.position = position;
  }

  @Override
  long run() throws IOException {
    if (file.channel().isDirect()) {
      return runDirect();
    }
    ByteBuffer target = lane.staging().take(length);
    bytes = target;
    int n = file.channel().read(target, position);
    target.flip();
    return n;
  }

  /** Whole blocks, of which what was wanted is handed out. */
  private long runDirect() throws IOException {
    long floor = DirectAccess.floor(position);
    int skipped = (int) (position - floor);
    ByteBuffer target = lane.staging().take(DirectAccess.ceiling(skipped + length));
    bytes = target;
    int n = Math.min(file.channel().read(target, floor), skipped + length);
    target.position(0).limit(Math.max(n, skipped)).position(skipped);
    return n > skipped ? n - skipped : EOF;
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
