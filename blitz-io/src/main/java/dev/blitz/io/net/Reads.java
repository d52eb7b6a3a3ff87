package dev.blitz.io.net;

import static dev.blitz.io.internal.driver.StreamEndpoint.EOF;
import static dev.blitz.io.internal.driver.StreamEndpoint.PENDING;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The operations of a stream's reading side. */
final class Reads {
  private Reads() {}

  /** What all of them have in common. */
  abstract static class Read<T> extends SideFuture<T> {
    final TcpStream stream;

    Read(TcpStream stream) {
      super(stream.reading);
      this.stream = stream;
    }

    @Override
    final void forget() {
      stream.endpoint.forgetReader();
    }

    @Override
    public String toString() {
      return "bytes from " + stream;
    }
  }

  /** One try to read or peek into a buffer; {@link TcpStream#PENDING} has kept the waker. */
  static int tryRead(TcpStream stream, Context cx, ByteBuffer target, boolean peek)
      throws IOException {
    if (!target.hasRemaining()) {
      return stream.nothing();
    }
    MemorySegment segment = MemorySegment.ofBuffer(target);
    int n =
        peek
            ? stream.endpoint.pollPeek(segment, cx.waker())
            : stream.endpoint.pollRead(segment, cx.waker());
    if (n > 0) {
      target.position(target.position() + n);
    } else if (n == PENDING) {
      cx.refund();
    }
    return n;
  }

  /** {@link TcpStream#read(ByteBuffer)} and {@link TcpStream#peek}. */
  static final class Some extends Read<Integer> {
    private final ByteBuffer target;
    private final boolean peek;

    Some(TcpStream stream, ByteBuffer target, boolean peek) {
      super(stream);
      this.target = Buffers.writable(target);
      this.peek = peek;
    }

    @Override
    @Nullable Integer attempt(Context cx) throws IOException {
      int n = tryRead(stream, cx, target, peek);
      return n == PENDING ? null : n;
    }
  }

  /** {@link TcpStream#read(MemorySegment)}. */
  static final class IntoSegment extends Read<Integer> {
    private final MemorySegment target;

    IntoSegment(TcpStream stream, MemorySegment target) {
      super(stream);
      this.target = Buffers.writable(target);
    }

    @Override
    @Nullable Integer attempt(Context cx) throws IOException {
      if (target.byteSize() == 0) {
        return stream.nothing();
      }
      int n = stream.endpoint.pollRead(target, cx.waker());
      if (n == PENDING) {
        cx.refund();
        return null;
      }
      return n;
    }
  }

  /** {@link TcpStream#readFully}. */
  static final class Fully extends Read<Done> {
    private final ByteBuffer target;

    Fully(TcpStream stream, ByteBuffer target) {
      super(stream);
      this.target = Buffers.writable(target);
    }

    @Override
    @Nullable Done attempt(Context cx) throws IOException {
      if (!target.hasRemaining()) {
        stream.nothing();
      }
      while (target.hasRemaining()) {
        int n = tryRead(stream, cx, target, false);
        if (n == EOF) {
          throw new EOFException(
              "the stream ended with " + target.remaining() + " bytes still to be read");
        }
        if (n == PENDING || (target.hasRemaining() && !cx.proceed())) {
          return null;
        }
      }
      return Done.DONE;
    }
  }

  /** {@link TcpStream#readVectored}. */
  static final class Vectored extends Read<Long> {
    private final ByteBuffer[] targets;

    Vectored(TcpStream stream, ByteBuffer[] targets) {
      super(stream);
      this.targets = targets.clone();
      for (ByteBuffer target : this.targets) {
        Buffers.writable(target);
      }
    }

    @Override
    @Nullable Long attempt(Context cx) throws IOException {
      MemorySegment[] segments = Buffers.segments(targets);
      if (segments.length == 0) {
        return (long) stream.nothing();
      }
      long n = stream.endpoint.pollReadVectored(segments, segments.length, cx.waker());
      if (n == PENDING) {
        cx.refund();
        return null;
      }
      Buffers.advance(targets, n);
      return n;
    }
  }
}
