package dev.blitz.io.internal.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;

/** A file by the means of the JDK. Closing it ends calls that wait. */
final class JdkChannel implements LaneChannel {
  private static final int ZEROS = 1 << 16;

  private final FileChannel channel;
  private final boolean append;
  private final boolean seekable;

  /** Owns {@code channel} once it is made. */
  JdkChannel(FileChannel channel, boolean append) {
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
  public int read(ByteBuffer target, long position) throws IOException {
    return seekable ? channel.read(target, position) : channel.read(target);
  }

  @Override
  public int write(ByteBuffer source, long position) throws IOException {
    return seekable ? channel.write(source, position) : channel.write(source);
  }

  @Override
  public void force(boolean metadata) throws IOException {
    channel.force(metadata);
  }

  @Override
  public void setLength(long length) throws IOException {
    long now = channel.size();
    if (length < now) {
      channel.truncate(length);
    } else {
      grow(now, length);
    }
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
  public long size() throws IOException {
    return channel.size();
  }

  @Override
  public MemorySegment map(LaneMap.Mapping mapping) throws IOException {
    return mapping.of(channel);
  }

  @Override
  public boolean tryLock(RangeLock range) throws IOException {
    try {
      FileLock lock = channel.tryLock(range.position(), range.length(), range.isShared());
      range.jdk = lock;
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false; // of another channel: this one has none that overlaps
    }
  }

  @Override
  public void unlock(RangeLock range) throws IOException {
    FileLock lock = range.jdk;
    if (lock != null) {
      lock.release();
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
