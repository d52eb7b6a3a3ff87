package dev.blitz.io.net;

import static dev.blitz.io.internal.driver.StreamEndpoint.PENDING;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The operations of a stream's writing side. */
final class Writes {
  private Writes() {}

  /** What all of them have in common. */
  abstract static class Write<T> extends SideFuture<T> {
    final TcpStream stream;

    Write(TcpStream stream) {
      super(stream.writing);
      this.stream = stream;
    }

    @Override
    final void forget() {
      stream.endpoint.forgetWriter();
    }

    @Override
    public String toString() {
      return "room to write to " + stream;
    }
  }

  /** One try to write; {@link TcpStream#PENDING} has kept the waker. */
  static int tryWrite(TcpStream stream, Context cx, ByteBuffer source) throws IOException {
    if (!source.hasRemaining()) {
      return stream.nothing();
    }
    int n = stream.endpoint.pollWrite(MemorySegment.ofBuffer(source), cx.waker());
    if (n > 0) {
      source.position(source.position() + n);
    } else if (n == PENDING) {
      cx.refund();
    }
    return n;
  }

  /** {@link TcpStream#write(ByteBuffer)}. */
  static final class Some extends Write<Integer> {
    private final ByteBuffer source;

    Some(TcpStream stream, ByteBuffer source) {
      super(stream);
      this.source = Objects.requireNonNull(source, "source");
    }

    @Override
    @Nullable Integer attempt(Context cx) throws IOException {
      int n = tryWrite(stream, cx, source);
      return n == PENDING ? null : n;
    }
  }

  /** {@link TcpStream#write(MemorySegment)}. */
  static final class FromSegment extends Write<Integer> {
    private final MemorySegment source;

    FromSegment(TcpStream stream, MemorySegment source) {
      super(stream);
      this.source = Objects.requireNonNull(source, "source");
    }

    @Override
    @Nullable Integer attempt(Context cx) throws IOException {
      if (source.byteSize() == 0) {
        return stream.nothing();
      }
      int n = stream.endpoint.pollWrite(source, cx.waker());
      if (n == PENDING) {
        cx.refund();
        return null;
      }
      return n;
    }
  }

  /** {@link TcpStream#writeAll(ByteBuffer)}. */
  static final class All extends Write<Done> {
    private final ByteBuffer source;

    All(TcpStream stream, ByteBuffer source) {
      super(stream);
      this.source = Objects.requireNonNull(source, "source");
    }

    @Override
    @Nullable Done attempt(Context cx) throws IOException {
      if (!source.hasRemaining()) {
        stream.nothing();
      }
      while (source.hasRemaining()) {
        int n = tryWrite(stream, cx, source);
        if (n == PENDING || (source.hasRemaining() && !cx.proceed())) {
          return null;
        }
      }
      return Done.DONE;
    }
  }

  /** {@link TcpStream#writeAll(MemorySegment)}. */
  static final class AllOfSegment extends Write<Done> {
    private final MemorySegment source;
    private long written;

    AllOfSegment(TcpStream stream, MemorySegment source) {
      super(stream);
      this.source = Objects.requireNonNull(source, "source");
    }

    @Override
    @Nullable Done attempt(Context cx) throws IOException {
      if (written == source.byteSize()) {
        stream.nothing();
      }
      while (written < source.byteSize()) {
        int n = stream.endpoint.pollWrite(source.asSlice(written), cx.waker());
        if (n == PENDING) {
          cx.refund();
          return null;
        }
        written += n;
        if (written < source.byteSize() && !cx.proceed()) {
          return null;
        }
      }
      return Done.DONE;
    }
  }

  /** {@link TcpStream#writeVectored}. */
  static final class Vectored extends Write<Long> {
    private final ByteBuffer[] sources;

    Vectored(TcpStream stream, ByteBuffer[] sources) {
      super(stream);
      this.sources = sources.clone();
    }

    @Override
    @Nullable Long attempt(Context cx) throws IOException {
      MemorySegment[] segments = Buffers.segments(sources);
      if (segments.length == 0) {
        return (long) stream.nothing();
      }
      long n = stream.endpoint.pollWriteVectored(segments, segments.length, cx.waker());
      if (n == PENDING) {
        cx.refund();
        return null;
      }
      Buffers.advance(sources, n);
      return n;
    }
  }
}
