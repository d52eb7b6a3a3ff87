package dev.blitz.io.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** Readers and writers as channels that block. */
final class Channels {
  private Channels() {}

  /** {@link Bytes#readableChannel}. */
  static final class Reading implements ReadableByteChannel {
    private final ByteReader reader;
    private volatile boolean closed;

    Reading(ByteReader reader) {
      this.reader = reader;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      if (closed) {
        throw new ClosedChannelException();
      }
      return reader.read(target).await();
    }

    @Override
    public boolean isOpen() {
      return !closed;
    }

    @Override
    public void close() throws IOException {
      closed = true;
      Closing.close(reader);
    }
  }

  /** {@link Bytes#writableChannel}. */
  static final class Writing implements WritableByteChannel {
    private final ByteWriter writer;
    private volatile boolean closed;

    Writing(ByteWriter writer) {
      this.writer = writer;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      if (closed) {
        throw new ClosedChannelException();
      }
      int count = source.remaining();
      writer.writeAll(source).await();
      return count;
    }

    @Override
    public boolean isOpen() {
      return !closed;
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        try {
          writer.shutdown().await();
        } finally {
          Closing.close(writer);
        }
      }
    }
  }
}
