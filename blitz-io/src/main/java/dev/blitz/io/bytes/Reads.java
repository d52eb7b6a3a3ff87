package dev.blitz.io.bytes;

import static dev.blitz.io.bytes.ByteReader.EOF;
import static dev.blitz.io.bytes.ByteReader.PENDING;

import dev.blitz.io.future.Context;
import dev.blitz.io.future.Done;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The futures of the reading side. */
final class Reads {
  private Reads() {}

  /** The side that an operation on {@code reader} has; null if it has no guard. */
  static @Nullable Side sideOf(ByteReader reader) {
    return switch (reader) {
      case GuardedStream stream -> stream.reading;
      case GuardedReader own -> own.reading;
      case ReadHalf<?> half -> half.side();
      default -> null;
    };
  }

  /** The stream whose methods without a guard are used by whoever has the side. */
  static @Nullable GuardedStream guardedBy(ByteReader reader) {
    ByteReader below = reader instanceof ReadHalf<?> half ? half.stream() : reader;
    return below instanceof GuardedStream stream ? stream : null;
  }

  /** What all of them have in common. */
  abstract static class Read<T> extends SideFuture<T> {
    private final ByteReader reader;

    /** Not null if the reader has a guard, whose side is ours: its methods without a guard. */
    private final @Nullable GuardedStream guarded;

    private final @Nullable GuardedReader above;

    Read(ByteReader reader) {
      super(sideOf(reader));
      this.reader = reader;
      this.guarded = guardedBy(reader);
      this.above = reader instanceof GuardedReader own ? own : null;
    }

    final int tryOnce(Context cx, ByteBuffer target) throws IOException {
      if (guarded != null) {
        return guarded.doRead(cx, target);
      }
      return above != null ? above.doRead(cx, target) : reader.pollRead(cx, target);
    }

    final long tryOnce(Context cx, ByteBuffer[] targets) throws IOException {
      if (guarded != null) {
        return guarded.doReadVectored(cx, targets);
      }
      return above != null
          ? above.doRead(cx, Buffers.firstWithRoom(targets))
          : reader.pollReadVectored(cx, targets);
    }

    @Override
    final void forget() {
      if (guarded != null) {
        guarded.forgetRead();
      } else {
        reader.forgetRead();
      }
    }

    @Override
    public String toString() {
      return "bytes from " + reader;
    }
  }

  /** {@link ByteReader#read(ByteBuffer)}. */
  static final class Some extends Read<Integer> {
    private final ByteBuffer target;

    Some(ByteReader reader, ByteBuffer target) {
      super(reader);
      this.target = target;
    }

    @Override
    @Nullable Integer attempt(Context cx) throws IOException {
      int n = tryOnce(cx, target);
      return n == PENDING ? null : n;
    }
  }

  /** {@link ByteReader#readFully}. */
  static final class Fully extends Read<Done> {
    private final ByteBuffer target;

    Fully(ByteReader reader, ByteBuffer target) {
      super(reader);
      this.target = target;
    }

    @Override
    @Nullable Done attempt(Context cx) throws IOException {
      do {
        int n = tryOnce(cx, target); // also if nothing remains: a closed stream says so
        if (n == PENDING) {
          return null;
        }
        if (n == EOF) {
          throw new EOFException(
              "the stream ended with " + target.remaining() + " bytes still to be read");
        }
      } while (target.hasRemaining());
      return Done.DONE;
    }
  }

  /** {@link ByteReader#readVectored}. */
  static final class Vectored extends Read<Long> {
    private final ByteBuffer[] targets;

    Vectored(ByteReader reader, ByteBuffer[] targets) {
      super(reader);
      this.targets = targets.clone();
      for (ByteBuffer target : this.targets) {
        Buffers.writable(target);
      }
    }

    @Override
    @Nullable Long attempt(Context cx) throws IOException {
      long n = tryOnce(cx, targets);
      return n == PENDING ? null : n;
    }
  }

  /** {@link GuardedStream#reading}. */
  static final class Own<T> extends Read<T> {
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
