package dev.blitz.io.internal.file;

import dev.blitz.io.internal.base.FailureLog;
import dev.blitz.io.internal.base.StackRoom;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A file that the lane's threads use. */
final class LaneFile extends OpenFile {
  private final LaneFiles lane;
  private final LaneChannel channel;

  /** Made beforehand: a close needs no memory. */
  private final Runnable closing = this::closeChannel;

  /** Owns {@code channel} once it is made; on a thread of the lane. */
  LaneFile(LaneFiles lane, Path path, LaneChannel channel) {
    super(path, lane.registry());
    this.lane = lane;
    this.channel = channel;
  }

  @Override
  public int number() {
    return channel.number();
  }

  @Override
  LaneFiles lane() {
    return lane;
  }

  @Override
  MemorySegment mapNow(LaneMap.Mapping mapping) throws IOException {
    return channel.map(mapping);
  }

  @Override
  boolean tryLockNow(RangeLock range) throws IOException {
    return channel.tryLock(range);
  }

  @Override
  void unlockNow(RangeLock range) throws IOException {
    channel.unlock(range);
  }

  @Override
  public boolean isSeekable() {
    return channel.isSeekable();
  }

  @Override
  public int readNow(ByteBuffer target, long position) {
    if (channel.number() < 0) {
      return FileOperation.PENDING;
    }
    StackRoom.forCalls(); // to let go of what is in use, and to close it
    if (!tryUse()) {
      return FileOperation.PENDING;
    }
    try {
      return channel.readNow(target, position);
    } finally {
      release();
    }
  }

  @Override
  public FileOperation read(int length, long position) throws IOException {
    return begun(new LaneRead(lane, this, length, position));
  }

  LaneChannel channel() {
    return channel;
  }

  @Override
  public FileOperation write(ByteBuffer[] sources, long position) throws IOException {
    int[] before = Gather.positions(sources);
    var write = new LaneWrite(lane, this, position);
    begin(write);
    boolean begun = false;
    try {
      write.take(sources);
      begun = true;
      write.begin();
    } catch (Throwable t) {
      if (!begun) {
        write.notBegun();
      }
      Gather.rewind(sources, before);
      throw t;
    }
    return write;
  }

  @Override
  public FileOperation force(boolean metadata) throws IOException {
    return begun(
        LaneStep.of(
            lane,
            this,
            "force",
            false,
            () -> {
              channel.force(metadata);
              return 0;
            }));
  }

  @Override
  public FileOperation setLength(long length) throws IOException {
    return begun(
        LaneStep.of(
            lane,
            this,
            "set length",
            true,
            () -> {
              channel.setLength(length);
              return 0;
            }));
  }

  @Override
  public FileOperation size() throws IOException {
    return begun(LaneStep.of(lane, this, "size", false, channel::size));
  }

  private FileOperation begun(LaneOperation operation) throws IOException {
    begin(operation);
    operation.begin();
    return operation;
  }

  @Override
  protected void closeDescriptor() {
    if (isClosedAtOnce()) {
      lane.releaseAtOnce(closing);
    } else {
      lane.release(closing);
    }
  }

  private void closeChannel() {
    try {
      channel.close();
    } catch (IOException | RuntimeException e) {
      FailureLog.log("closing " + path(), e);
    }
  }
}
