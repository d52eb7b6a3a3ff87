package dev.blitz.io.internal.file;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Maps a part of a file into memory. Abandoned, it unmaps it. */
public final class LaneMap extends LaneOperation {
  private final OpenFile file;
  private final long position;
  private final long length;
  private final Arena arena = Arena.ofShared();
  private @Nullable MemorySegment memory;
  private boolean taken;

  /** How it is mapped. */
  @FunctionalInterface
  interface Mapping {
    /** Maps what is asked for of {@code channel}, which stays the caller's. */
    MemorySegment of(FileChannel channel) throws IOException;
  }

  LaneMap(LaneFiles lane, OpenFile file, long position, long length) {
    super(lane, file, "map");
    this.file = file;
    this.position = position;
    this.length = length;
  }

  @Override
  long run() throws IOException {
    if (!file.isSeekable()) {
      throw tooShort(0); // nor opened once more, which would wait for its other end
    }
    memory = file.mapNow(this::map);
    return 0;
  }

  private MemorySegment map(FileChannel channel) throws IOException {
    long size = channel.size();
    if (position + length > size) {
      throw tooShort(size);
    }
    return channel.map(FileChannel.MapMode.READ_ONLY, position, length, arena);
  }

  private EOFException tooShort(long size) {
    return new EOFException(
        file.path()
            + ": map: has "
            + size
            + " bytes, and ends before the last of the "
            + length
            + " at "
            + position);
  }

  /** What is mapped; only after its end. */
  public MemorySegment memory() {
    return Objects.requireNonNull(memory, "memory");
  }

  /** What keeps it mapped; only after its end. */
  public Arena arena() {
    return arena;
  }

  /** Its owner has the arena from now on. */
  public void take() {
    taken = true;
  }

  @Override
  protected boolean changesFile() {
    return false;
  }

  @Override
  protected void giveBack() {
    if (!taken) {
      taken = true;
      arena.close();
    }
  }

  @Override
  public ByteBuffer bytes() {
    throw new UnsupportedOperationException("no bytes");
  }
}
