package dev.blitz.io.internal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A write of bytes that it has copied. */
final class LaneWrite extends LaneOperation {
  private final LaneFiles lane;
  private final LaneFile file;
  private final long position;
  private @Nullable ByteBuffer bytes;

  LaneWrite(LaneFiles lane, LaneFile file, long position) {
    super(lane, file, "write");
    this.lane = lane;
    this.file = file;
    this.position = position;
  }

  /** Copies what it can hold of {@code sources}. */
  void take(ByteBuffer[] sources) {
    bytes = Gather.from(sources, lane.staging());
  }

  @Override
  long run() throws IOException {
    ByteBuffer source = bytes();
    int length = source.remaining();
    while (source.hasRemaining()) {
      file.channel().write(source, position + source.position());
    }
    return length;
  }

  @Override
  public ByteBuffer bytes() {
    return Objects.requireNonNull(bytes, "bytes");
  }

  @Override
  protected boolean changesFile() {
    return true;
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
