package dev.blitz.io.internal.file;

import dev.blitz.io.internal.base.FailureLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A file of the JDK's. */
final class LaneFile extends OpenFile {
  private static final int ZEROS = 1 << 16;

  private final LaneFiles lane;
  private final FileChannel channel;
  private final boolean append;
  private final boolean seekable;

  /** Owns {@code channel} once it is made; on a thread of the lane. */
  LaneFile(LaneFiles lane, Path path, FileChannel channel, boolean append) {
    super(path, lane.registry());
    this.lane = lane;
    this.channel = channel;
    this.append = append;
    seekable = hasOffsets(channel);
  }

  private static boolean hasOffsets(FileChannel channel) {
    try {
      return channel.position() >= 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public boolean isSeekable() {
    return seekable;
  }

  @Override
  public FileOperation read(int length, long position) throws IOException {
    return begun(new LaneRead(lane, this, length, position));
  }

  int readInto(ByteBuffer target, long position) throws IOException {
    return seekable ? channel.read(target, position) : channel.read(target);
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

  int writeFrom(ByteBuffer source, long position) throws IOException {
    return seekable ? channel.write(source, position) : channel.write(source);
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
              long now = channel.size();
              if (length < now) {
                channel.truncate(length);
              } else {
                grow(now, length);
              }
              return 0;
            }));
  }

  /** The JDK's truncate does not grow. What is opened to append writes to the end alone. */
  private void grow(long from, long to) throws IOException {
    var zeros = ByteBuffer.allocate(append ? ZEROS : 1);
    for (long at = append ? from : Math.max(from, to - 1); at < to; ) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), to - at));
      at += channel.write(zeros, at);
    }
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
      lane.releaseAtOnce(this::closeChannel);
    } else {
      lane.release(this::closeChannel);
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
