package dev.blitz.io.bytes;

import static dev.blitz.io.bytes.ByteReader.EOF;
import static dev.blitz.io.bytes.ByteReader.PENDING;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** The futures of the buffered reader: each takes all it wants at once, or nothing. */
final class BufferedReads {
  private BufferedReads() {}

  /** What waits for a number of bytes. */
  abstract static class Whole<T> extends Reads.Read<T> {
    final BufferedByteReader in;
    private final int count;

    Whole(BufferedByteReader in, int count) {
      super(in);
      this.in = in;
      this.count = count;
    }

    @Override
    final @Nullable T attempt(Context cx) throws IOException {
      if (!cx.proceed()) {
        return null;
      }
      int n = in.fill(cx, count);
      if (n == PENDING) {
        cx.refund();
        return null;
      }
      if (n == EOF) {
        throw new EOFException(
            "the stream ended with " + in.buffered().remaining() + " of " + count + " bytes");
      }
      return take(in.buffered());
    }

    /** Takes the bytes; moves the position last. */
    abstract T take(ByteBuffer bytes);
  }

  /** One number. */
  static final class OneNumber<T> extends Whole<T> {
    private final int size;
    private final ByteOrder order;
    private final LongFunction<T> kind;

    OneNumber(BufferedByteReader in, int size, ByteOrder order, LongFunction<T> kind) {
      super(in, size);
      this.size = size;
      this.order = Objects.requireNonNull(order, "order");
      this.kind = kind;
    }

    @Override
    T take(ByteBuffer bytes) {
      int at = bytes.position();
      long number = 0;
      for (int i = 0; i < size; i++) {
        int next = order == ByteOrder.BIG_ENDIAN ? at + i : at + size - 1 - i;
        number = (number << Byte.SIZE) | (bytes.get(next) & 0xff);
      }
      T value = kind.apply(number);
      bytes.position(at + size);
      return value;
    }
  }

  /** {@link BufferedByteReader#readExactly}. */
  static final class Exactly extends Whole<byte[]> {
    private final int count;

    Exactly(BufferedByteReader in, int count) {
      super(in, count);
      this.count = count;
      if (count < 0) {
        throw new IllegalArgumentException("a negative count: " + count);
      }
    }

    @Override
    byte[] take(ByteBuffer bytes) {
      byte[] taken = new byte[count];
      bytes.get(taken);
      return taken;
    }
  }

  /** {@link BufferedByteReader#readToEnd}. */
  static final class ToEnd extends Reads.Read<byte[]> {
    private final BufferedByteReader in;
    private final int limit;

    ToEnd(BufferedByteReader in, int limit) {
      super(in);
      this.in = in;
      this.limit = limit;
      if (limit < 0 || limit == Integer.MAX_VALUE) {
        throw new IllegalArgumentException("no limit for an array: " + limit);
      }
    }

    @Override
    byte @Nullable [] attempt(Context cx) throws IOException {
      int n = in.fill(cx, limit + 1);
      if (n == PENDING) {
        return null;
      }
      if (n != EOF) {
        throw new TooLongException("more than " + limit + " bytes before the end", limit);
      }
      byte[] all = new byte[in.buffered().remaining()];
      in.buffered().get(all);
      return all;
    }
  }

  /** {@link BufferedByteReader#skip}. */
  static final class Skip extends Reads.Read<Done> {
    private final BufferedByteReader in;
    private long left;

    Skip(BufferedByteReader in, long count) {
      super(in);
      this.in = in;
      this.left = count;
      if (count < 0) {
        throw new IllegalArgumentException("a negative count: " + count);
      }
    }

    @Override
    @Nullable Done attempt(Context cx) throws IOException {
      while (left > 0) {
        int n = in.fill(cx, 1);
        if (n == PENDING) {
          return null;
        }
        if (n == EOF) {
          throw new EOFException("the stream ended with " + left + " bytes still to be skipped");
        }
        ByteBuffer bytes = in.buffered();
        n = (int) Math.min(left, n);
        bytes.position(bytes.position() + n);
        left -= n;
      }
      return Done.DONE;
    }
  }
}
