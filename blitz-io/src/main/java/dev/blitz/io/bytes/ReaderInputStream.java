package dev.blitz.io.bytes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** {@link Bytes#inputStream}. */
final class ReaderInputStream extends InputStream {
  private final ByteReader reader;
  private final ByteBuffer one = ByteBuffer.allocate(1);

  ReaderInputStream(ByteReader reader) {
    this.reader = reader;
  }

  @Override
  public int read() throws IOException {
    return reader.read(one.clear()).await() < 0 ? -1 : one.get(0) & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    return length == 0 ? 0 : reader.read(ByteBuffer.wrap(target, offset, length)).await();
  }

  @Override
  public int available() {
    return reader instanceof BufferedByteReader in ? in.buffered().remaining() : 0;
  }

  @Override
  public void close() throws IOException {
    Closing.close(reader);
  }

  @Override
  public String toString() {
    return "input stream of " + reader;
  }
}
