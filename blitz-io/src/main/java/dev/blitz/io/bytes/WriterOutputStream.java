package dev.blitz.io.bytes;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;

/** {@link Bytes#outputStream}. */
final class WriterOutputStream extends OutputStream {
  private final ByteWriter writer;
  private boolean closed;

  WriterOutputStream(ByteWriter writer) {
    this.writer = writer;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    requireOpen();
    writer.writeAll(ByteBuffer.wrap(source, offset, length)).await();
  }

  @Override
  public void flush() throws IOException {
    requireOpen();
    writer.flush().await();
  }

  private void requireOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
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

  @Override
  public String toString() {
    return "output stream to " + writer;
  }
}
