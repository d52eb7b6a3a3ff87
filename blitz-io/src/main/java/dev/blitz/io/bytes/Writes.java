package dev.blitz.io.bytes;

import static dev.blitz.io.bytes.ByteWriter.PENDING;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The futures of the writing side. */
final class Writes {
  private Writes() {}

  /** What all of them have in common. */
  abstract static class Write<T> extends SideFuture<T> {
    private final ByteWriter writer;

    /** Not null if the writer has a guard, whose side is ours: its methods without a guard. */
    private final @Nullable GuardedStream guarded;

    private final @Nullable GuardedWriter above;

    Write(ByteWriter writer) {
      super(sideOf(writer));
      this.writer = writer;
      this.guarded = guardedBy(writer);
      this.above = writer instanceof GuardedWriter own ? own : null;
    }

    private static @Nullable Side sideOf(ByteWriter writer) {
      return switch (writer) {
        case GuardedStream stream -> stream.writing;
        case GuardedWriter own -> own.writing;
        case WriteHalf<?> half -> half.side();
        default -> null;
      };
    }

    private static @Nullable GuardedStream guardedBy(ByteWriter writer) {
      ByteWriter below = writer instanceof WriteHalf<?> half ? half.stream() : writer;
      return below instanceof GuardedStream stream ? stream : null;
    }

    final int tryOnce(Context cx, ByteBuffer source) throws IOException {
      if (guarded != null) {
        return guarded.doWrite(cx, source);
      }
      return above != null ? above.doWrite(cx, source) : writer.pollWrite(cx, source);
    }

    final long tryOnce(Context cx, ByteBuffer[] sources) throws IOException {
      if (guarded != null) {
        return guarded.doWriteVectored(cx, sources);
      }
      return above != null
          ? above.doWrite(cx, Buffers.firstWithRoom(sources))
          : writer.pollWriteVectored(cx, sources);
    }

    final long tryTransfer(Context cx, DirectInput input) throws IOException {
      if (guarded != null) {
        return guarded.doTransfer(cx, input);
      }
      return above instanceof BufferedByteWriter buffered
          ? buffered.doTransfer(cx, input)
          : GuardedStream.BY_MEMORY;
    }

    final boolean tryFlush(Context cx) throws IOException {
      if (guarded != null) {
        return guarded.doFlush(cx);
      }
      return above != null ? above.doFlush(cx) : writer.pollFlush(cx);
    }

    final boolean tryShutdown(Context cx) throws IOException {
      if (guarded != null) {
        return guarded.doShutdown(cx);
      }
      return above != null ? above.doShutdown(cx) : writer.pollShutdown(cx);
    }

    @Override
    final void forget() {
      if (guarded != null) {
        guarded.forgetWrite();
      } else {
        writer.forgetWrite();
      }
    }

    @Override
    public String toString() {
      return "room to write to " + writer;
    }
  }

  /** {@link ByteWriter#write(ByteBuffer)}. */
  static final class Some extends Write<Integer> {
    private final ByteBuffer source;

    Some(ByteWriter writer, ByteBuffer source) {
      super(writer);
      this.source = source;
    }

    @Override
    @Nullable Integer attempt(Context cx) throws IOException {
      int n = tryOnce(cx, source);
      return n == PENDING ? null : n;
    }
  }

  /** {@link ByteWriter#writeAll(ByteBuffer)}. */
  static final class All extends Write<Done> {
    private final ByteBuffer source;

    All(ByteWriter writer, ByteBuffer source) {
      super(writer);
      this.source = source;
    }

    @Override
    @Nullable Done attempt(Context cx) throws IOException {
      do {
        if (tryOnce(cx, source) == PENDING) { // also if nothing remains: a closed stream says so
          return null;
        }
      } while (source.hasRemaining());
      return Done.DONE;
    }
  }

  /** {@link ByteWriter#writeAll(MemorySegment)}: may be more than a buffer can have. */
  static final class AllOfSegment extends Write<Done> {
    private final MemorySegment source;
    private ByteBuffer piece;
    private long pieceEnd;

    AllOfSegment(ByteWriter writer, MemorySegment source) {
      super(writer);
      this.source = source;
      piece = Buffers.of(source, 0);
      pieceEnd = piece.remaining();
    }

    @Override
    @Nullable Done attempt(Context cx) throws IOException {
      for (; ; ) {
        if (tryOnce(cx, piece) == PENDING) {
          return null;
        }
        if (!piece.hasRemaining()) {
          if (pieceEnd == source.byteSize()) {
            return Done.DONE;
          }
          piece = Buffers.of(source, pieceEnd);
          pieceEnd += piece.remaining();
        }
      }
    }
  }

  /** {@link ByteWriter#writeVectored}. */
  static final class Vectored extends Write<Long> {
    private final ByteBuffer[] sources;

    Vectored(ByteWriter writer, ByteBuffer[] sources) {
      super(writer);
      this.sources = sources.clone();
    }

    @Override
    @Nullable Long attempt(Context cx) throws IOException {
      long n = tryOnce(cx, sources);
      return n == PENDING ? null : n;
    }
  }

  /** {@link ByteWriter#writeAllVectored}. */
  static final class AllVectored extends Write<Done> {
    private final ByteBuffer[] sources;

    AllVectored(ByteWriter writer, ByteBuffer[] sources) {
      super(writer);
      this.sources = sources.clone();
    }

    @Override
    @Nullable Done attempt(Context cx) throws IOException {
      do {
        if (tryOnce(cx, sources) == PENDING) {
          return null;
        }
      } while (Buffers.firstWithRoom(sources).hasRemaining());
      return Done.DONE;
    }
  }

  /** {@link ByteWriter#flush}. */
  static final class Flush extends Write<Done> {
    Flush(ByteWriter writer) {
      super(writer);
    }

    @Override
    @Nullable Done attempt(Context cx) throws IOException {
      return tryFlush(cx) ? Done.DONE : null;
    }
  }

  /** {@link ByteWriter#shutdown}. */
  static final class Shutdown extends Write<Done> {
    Shutdown(ByteWriter writer) {
      super(writer);
    }

    @Override
    @Nullable Done attempt(Context cx) throws IOException {
      return tryShutdown(cx) ? Done.DONE : null;
    }
  }

  /** {@link GuardedStream#writing}. */
  static final class Own<T> extends Write<T> {
    private final GuardedStream.Attempt<T> attempt;

    Own(GuardedStream stream, GuardedStream.Attempt<T> attempt) {
      super(stream);
      this.attempt = attempt;
    }

    @Override
    @Nullable T attempt(Context cx) throws IOException {
      return attempt.make(cx);
    }
  }
}
